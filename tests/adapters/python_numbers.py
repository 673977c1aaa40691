"""A reader and writer of OpenUI messages with the numbers of Python's own `json`: python_numbers.py MODE.

The rules are those of adapters/python/adapter.py. Contexts, params and answers go through `json.loads` and `json.dumps`,
and no choice on numbers is declared. `python` is right; the other modes are right or wrong as their comments say.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "adapters" / "python"))
import adapter  # noqa: E402

MODE = sys.argv[1]


def to_64_bits(literal: str) -> int | float:
    return int(literal) if -(2**63) <= int(literal) < 2**63 else float(literal)


# What an integer of a context becomes.
READS = {
    "64-bit": to_64_bits,  # right: as in PHP
    "double": float,  # right: as in JavaScript
}.get(MODE, int)
WRITES = float if MODE == "mixes" else READS  # Wrong: integers are read exactly, and written as doubles.
METHODS = {
    "reads": ["openui.parse"],  # right: what it chooses shows in several answers together, and in none alone
    "parses-and-streams": ["openui.parse", "openui.stream"],  # right
}
UNDECLARED = "openui.context.numbers"


def no_json(literal: str) -> None:
    raise ValueError(f"{literal} is not JSON")


def read_json(source: str, number=None):
    """A line of the protocol, or with `number` a context."""
    # Wrong: left alone, Python reads NaN and Infinity, and writes them too.
    constant = None if MODE == "nan" else no_json
    return json.loads(source, parse_int=READS if number else int, parse_constant=constant)


def sendable(value):
    """JSON has no infinity: 1e400 comes back as null."""
    if isinstance(value, dict):
        return {name: sendable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [sendable(item) for item in value]
    return None if isinstance(value, float) and abs(value) == float("inf") else value


def with_integers(value):
    if isinstance(value, dict):
        return {name: with_integers(member) for name, member in value.items()}
    if isinstance(value, list):
        return [with_integers(item) for item in value]
    return WRITES(str(value)) if type(value) is int else value


def write_json(value, quote=json.dumps, number=None) -> str:
    is_context = quote is not json.dumps
    if is_context:
        value = with_integers(value)
    text = json.dumps(value if MODE == "nan" else sendable(value), ensure_ascii=not is_context, separators=(",", ":"))
    return adapter.SURROGATE.sub(lambda lone: f"\\u{ord(lone[0]):04x}", text)


def initialize(self, params):
    result = offered(self, params)
    del result["choices"][UNDECLARED]
    methods = [method for method in result["methods"] if method.startswith("openui.")]
    return result | {"methods": METHODS.get(MODE, methods)}


offered = adapter.Adapter.initialize
adapter.Adapter.initialize = initialize
adapter.Number = (int, float)
adapter.read_json, adapter.write_json = read_json, write_json
sys.exit(adapter.main())
