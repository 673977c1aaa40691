#!/usr/bin/env python3
"""The corpus, loaded and run from Python alone, as `spec/case-format.md` tells anybody who wants to.

    genui-conform export | python3 run_bundle.py
    python3 run_bundle.py --profile chat bundle.json

First the comparison is held to the vectors of the bundle; then, in each profile, every case is put to an
implementation in this process, and its answer is judged. Exit code 0: all of it holds. 1: something does not.
2: the bundle cannot be used. It needs Python 3.11 and nothing else.
"""

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "adapters" / "python"))
import adapter  # noqa: E402  (the implementation under test; nothing of it serves the comparison)

# ---- JSON that keeps what is written ----


@dataclass(frozen=True)
class Verbatim:
    """JSON text that is sent as it stands."""

    text: str


class Number(Verbatim):
    """A number in its own spelling. Equal numbers are the same exact decimal."""

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Number) and self.exact() == other.exact()

    def exact(self) -> tuple:
        sign, whole, fraction, exponent = NUMBER.fullmatch(self.text).groups(default="")
        digits = (whole + fraction).lstrip("0")
        kept = digits.rstrip("0")
        return (sign, kept, int(exponent or 0) - len(fraction) + len(digits) - len(kept)) if kept else ()


NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?")
WHITE = " \t\n\r"
DEEPEST = 1000


def read_json(text: str) -> Any:
    """Values that Python's `==` compares as the format does: of a name given twice the last value stays."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse)


def write_json(value: Any) -> str:
    if isinstance(value, Verbatim):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{write_json(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(write_json, value)) + "]"
    return json.dumps(value)


def levels(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def steps(place: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in place.split("/")[1:]]


def at(value: Any, place: str) -> Any:
    """What stands at a JSON pointer, or ABSENT."""
    for step in steps(place):
        if isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", step) and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return ABSENT
    return value


def put(value: Any, path: list[str], new: Any) -> Any:
    """A copy with something else at a place where something stands."""
    if not path:
        return new
    copy, step = value.copy(), int(path[0]) if isinstance(value, list) else path[0]
    copy[step] = put(value[step], path[1:], new)
    return copy


ABSENT = object()

# ---- The comparison ----


def equal(expected: Any, found: Any, method: str, profile: str, match: dict[str, str]) -> bool:
    expected, found = filled(expected, method), filled(found, method)
    for place, pattern in match.items():
        here = at(found, place)
        if not isinstance(here, str) or not search(pattern, here):
            return False
        expected = put(expected, steps(place), here)
    return comparable(expected, method, profile) == comparable(found, method, profile)


def filled(result: Any, method: str) -> Any:
    """Absent members stand for their defaults, in results of `openui.parse` wherever these occur."""
    if not isinstance(result, dict):
        return result
    if method == "openui.parse":
        return {"context": None, "attributes": {}, "end": False} | result
    if method == "openui.stream":
        whole = lambda name, value: filled(value, "openui.parse") if name == "final" else value
        each = lambda name, value: [filled(one, "openui.parse") for one in value] if name == "snapshots" else value
        return {name: each(name, whole(name, value)) if isinstance(value, (dict, list)) else value
                for name, value in result.items()}
    return result


def search(pattern: str, text: str) -> bool:
    """In Python alone `$` also matches in front of a last LF; `\\Z` is the end that is meant."""
    at_the_end = re.sub(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$", lambda part: part[1] or r"\Z", pattern, flags=re.DOTALL)
    return re.search(at_the_end, text) is not None


def comparable(result: Any, method: str, profile: str) -> Any:
    """The result, with the JSON that stands in its texts as values."""
    name, cut = TEXTS.get(method, ("", None))
    if not isinstance(result, dict) or not isinstance(result.get(name), str):
        return result
    return result | {name: cut(result[name], profile)}


def json_or_text(text: str) -> str | tuple:
    """JSON as the white space in front of it, its value and the white space behind it; other text as it is."""
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return text
    if levels(value) > DEEPEST:
        return text
    return text[: len(text) - len(text.lstrip(WHITE))], value, text[len(text.rstrip(WHITE)) :]


# A line, as whole reading takes it with the first choice on every open point: a CR may stand behind the kind.
MARKER_LINE = re.compile(r"\]\]>openui:([a-z]+)(?:\?[^\n]*|\r)?\n?")
MOVED = re.compile(r"(?<=[^\n])(?=\]\]>openui:content(?:\?|\r?\n|\Z))")


def cut_message(message: str, profile: str) -> tuple:
    """Marker lines, each with what stands behind it, as the message has them: nothing is inserted, only cut."""
    pieces: list[list] = [["", "", ""]]
    for stretch in [message] if profile == "line-start" else MOVED.split(message):
        for line in re.findall(r"[^\n]*\n|[^\n]+", stretch):
            if marker := MARKER_LINE.fullmatch(line):
                pieces.append([marker[1], line, ""])
            else:
                pieces[-1][2] += line
    return tuple((line, json_or_text(body) if kind == "context" else body) for kind, line, body in pieces)


def cut_model_text(text: str, profile: str) -> tuple:
    before, label, behind = text.rpartition("\ncontext and form values = ")
    return before, label, json_or_text(behind) if label else behind


TEXTS: dict[str, tuple[str, Callable[[str, str], tuple]]] = {
    "openui.build": ("message", cut_message),
    "openui.from_event": ("message", cut_message),
    "openui.model_text": ("text", cut_model_text),
}

# ---- Asking ----


class Answer(NamedTuple):
    kind: str  # result, refusal, unsupported, missing (no such method) or error
    value: Any

    def __str__(self) -> str:
        return write_json(self.value) if self.kind == "result" else f"{self.kind}: {self.value}"


class Whole:
    """Every message is its own content: wrong wherever a message has parts, to show that failures show."""

    def answer(self, line: bytes) -> str:
        request = json.loads(line)
        result = {"methods": ["openui.parse"]}
        if request["method"] != "initialize":
            result = {"content": request["params"]["raw"]}
        return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})


IMPLEMENTATIONS: dict[str, Callable[[], Any]] = {"starter": adapter.Adapter, "whole": Whole}


def ask(implementation: Any, method: str, params: Any) -> Answer:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply = read_json(implementation.answer(write_json(request).encode("utf-8")))
    if "result" in reply:
        return Answer("result", reply["result"])
    code, data = reply["error"]["code"], reply["error"].get("data") or {}
    if code == Number("1") and "kind" in data:
        return Answer("refusal", data["kind"])
    kind = "unsupported" if code == Number("2") else "missing" if code == Number("-32601") else "error"
    return Answer(kind, reply["error"]["message"])


def params_of(case: dict) -> Any:
    params = case["params"]
    for place, text in case.get("text", {}).items():
        params = put(params, steps(place), Verbatim(re.sub("[\r\n]", " ", text)))
    return params


# ---- Judging ----

DEPARTURE = {"must": "fail", "should": "warn", "may": "recorded"}
FAILING = ("fail", "error")


def options_of(case: dict) -> list[dict]:
    expect = case["expect"]
    return expect["one_of"] if "one_of" in expect else [expect | {"choices": {}}]


def fits(option: dict, answer: Answer, case: dict, profile: str) -> bool:
    if answer.kind == "result" and "result" in option:
        return equal(option["result"], answer.value, case["method"], profile, case.get("match", {}))
    return answer.kind == "refusal" and answer.value == option.get("error")


def allowed(option: dict, bound: dict[str, str]) -> bool:
    return all(bound.get(point, choice) == choice for point, choice in option["choices"].items())


def judge(case: dict, answer: Answer, again: Answer | None, bound: dict[str, str], profile: str) -> str:
    if answer.kind in ("unsupported", "error", "missing"):
        return "fail" if answer.kind == "missing" else answer.kind
    options = options_of(case)
    fitting = [option for option in options if fits(option, answer, case, profile)]
    right = [option for option in fitting if allowed(option, bound)]
    if right and again is not None:
        first = {answer.kind if answer.kind == "result" else "error": answer.value}
        if again.kind in ("unsupported", "error"):
            return again.kind
        if not fits(first, again, case, profile):
            return DEPARTURE[case["level"]]
    if right:
        return "warn" if all("warn" in option for option in right) else "pass"
    if answer.kind == "refusal" and not fitting and any("error" in o and allowed(o, bound) for o in options):
        return "recorded" if case["level"] == "may" else "warn"  # a refusal of another kind
    return DEPARTURE[case["level"]]


def run(bundle: dict, profile: str, implementation: Any) -> Iterator[tuple[dict, str, Answer | None, Answer | None]]:
    """Each case that holds in the profile, with its verdict and its answers; of one with `scale`, `left out`."""
    wish = {"protocol": Number("1"), "suite": bundle["suite"], "profile": profile, "choices": {}}
    offer = ask(implementation, "initialize", wish).value
    open_here = {rule["id"] for rule in bundle["rules"] if profile in rule["open_in"]}
    bound = {point: choice for point, choice in offer.get("choices", {}).items() if point in open_here}
    answers = []
    for case in bundle["cases"]:
        if profile in case.get("profiles", PROFILES) and "scale" not in case:
            asked = case["method"] in offer["methods"]
            answer = ask(implementation, case["method"], params_of(case)) if asked else None
            again = ask(implementation, case["method"], case["same"]) if asked and "same" in case else None
            answers.append((case, answer, again))
    for case, answer, _ in answers:
        fitting = [option for option in options_of(case) if answer and fits(option, answer, case, profile)]
        if len(fitting) == 1 and allowed(fitting[0], bound):
            bound |= fitting[0]["choices"]
    for case, answer, again in answers:
        yield case, judge(case, answer, again, bound, profile) if answer else "unsupported", answer, again


# ---- The bundle ----

PROFILES = ("core", "chat", "line-start")
KINDS = {str: "a string", list: "a list", dict: "an object", bool: "true or false"}
BUNDLE = {"suite": str, "hash": str, "rules": list, "aliases": dict, "compare": dict, "cases": list}
RULE = {"id": str, "level": str, "profiles": list, "choices": list, "open_in": list, "text": str}
VECTOR = {"about": str, "method": str, "expected": dict, "found": dict, "equal": bool}
CASE = {"id": str, "about": str, "rules": list, "level": str, "since": str, "method": str, "params": dict}
MAY_STAND_IN_CASE = {"profiles": list, "expect": dict, "match": dict, "text": dict, "same": dict, "scale": dict}


class Broken(Exception):
    """The bundle is not what the format says."""


def expected(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise Broken(f"{where}: expected {what}")


def check(value: Any, where: str, required: dict[str, type], optional: dict[str, type] = {}) -> None:
    expected(isinstance(value, dict), where, "an object")
    for name in required:
        expected(name in value, where, f"a member `{name}`")
    for name, member in value.items():
        kind = (required | optional).get(name)
        expected(kind is not None, where, f"no member `{name}`, which changes what is meant in a way unknown here")
        expected(isinstance(member, kind), f"{where}/{name}", KINDS[kind])


def check_case(case: dict, where: str) -> None:
    check(case, where, CASE, MAY_STAND_IN_CASE)
    expected(case["level"] in DEPARTURE, f"{where}/level", f"one of {', '.join(DEPARTURE)}")
    expected(("expect" in case) != ("scale" in case), where, "either `expect` or `scale`")
    for place in case.get("text", {}):
        expected(at(case["params"], place) is not ABSENT, f"{where}/params", f"something at {place}, for `text`")
    if "scale" in case:
        return
    kinds = {"result": dict, "error": str}
    single = len(case["expect"]) == 1 and set(case["expect"]) <= {*kinds, "one_of"}
    expected(single, f"{where}/expect", "one of `result`, `error` and `one_of`")
    for option in options_of(case):
        check(option, f"{where}/expect", {"choices": dict}, kinds | {"warn": str})
        expected(("result" in option) != ("error" in option), f"{where}/expect", "either `result` or `error`")
        check_match(case, option.get("result"), where)


def check_match(owner: dict, result: Any, where: str) -> None:
    for place, pattern in owner.get("match", {}).items():
        try:
            re.compile(pattern)
        except re.error as why:
            raise Broken(f"{where}/match: expected a regular expression at {place}: {why}") from None
        there = result is None or at(filled(result, owner["method"]), place) is not ABSENT
        expected(there, where, f"something at {place} in the result, for `match`")


def load(source: bytes) -> dict:
    try:
        bundle = read_json(source.decode("ascii"))
    except UnicodeDecodeError as why:
        raise Broken(f"byte {why.start}: expected ASCII") from None
    except ValueError as why:
        raise Broken(f"expected one JSON document, as `genui-conform export` prints it: {why}") from None
    check(bundle, "the bundle", BUNDLE)
    check(bundle["compare"], "compare", {"about": str, "vectors": list})
    for number, rule in enumerate(bundle["rules"]):
        check(rule, f"rules/{number}", RULE)
    for number, vector in enumerate(bundle["compare"]["vectors"]):
        check(vector, f"compare/vectors/{number}", VECTOR, {"profile": str, "match": dict})
        check_match(vector, vector["expected"], f"compare/vectors/{number}")
    for number, case in enumerate(bundle["cases"]):
        check_case(case, f"cases/{number} ({case.get('id')})" if isinstance(case, dict) else f"cases/{number}")
    ids = [case["id"] for case in bundle["cases"]]
    expected(ids == sorted(set(ids)), "cases", "ids in the order of their bytes, and none twice")
    expected(bool(ids and bundle["compare"]["vectors"]), "the bundle", "cases and vectors")
    return bundle


# ---- The report ----


def clip(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400]}... ({len(text)} characters)"


def report_vectors(vectors: list[dict]) -> bool:
    wrong = []
    for number, vector in enumerate(vectors):
        profile, match = vector.get("profile", "core"), vector.get("match", {})
        if equal(vector["expected"], vector["found"], vector["method"], profile, match) != vector["equal"]:
            wrong.append((number, vector))
    print(f"vectors: {len(vectors)}: {len(vectors) - len(wrong)} hold")
    for number, vector in wrong:
        found = ("equal", "different") if vector["equal"] else ("different", "equal")
        print(f"  vector {number}: {vector['about']}\n    expected: {found[0]}\n    found:    {found[1]}")
    return not wrong


def report_profile(bundle: dict, profile: str, implementation: Any) -> bool:
    judged = list(run(bundle, profile, implementation))
    counts = Counter(verdict for _, verdict, _, _ in judged)
    print(f"{profile}: {len(judged)} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    scaled = [case["id"] for case in bundle["cases"] if "scale" in case and profile in case.get("profiles", PROFILES)]
    if scaled:
        names = ": " + ", ".join(scaled) if len(scaled) <= 10 else ""
        print(f"  left out, being about cost: {len(scaled)}{names}")
    for case, verdict, answer, again in judged:
        if verdict in FAILING:
            print(f"  {verdict} {case['id']}\n    expected: {clip(write_json(case['expect']))}")
            print(f"    found:    {clip(str(answer))}" + (f"\n    to same:  {clip(str(again))}" if again else ""))
    return bool(judged) and not any(counts[verdict] for verdict in FAILING)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run an exported corpus from Python alone.")
    parser.add_argument("bundle", nargs="?", default="-", help="a file, or - for standard input, as without it")
    parser.add_argument("--profile", action="append", choices=PROFILES, help="each of the three without it")
    parser.add_argument("--implementation", default="starter", choices=IMPLEMENTATIONS)
    given = parser.parse_args()
    sys.setrecursionlimit(5 * DEEPEST)
    sys.set_int_max_str_digits(0)  # the exponent of a number may be as long as it likes
    try:
        bundle = load(sys.stdin.buffer.read() if given.bundle == "-" else Path(given.bundle).read_bytes())
    except (Broken, OSError) as why:
        print(f"run_bundle.py: {why}", file=sys.stderr)
        return 2
    holds = [report_vectors(bundle["compare"]["vectors"])]
    for profile in given.profile or PROFILES:
        holds.append(report_profile(bundle, profile, IMPLEMENTATIONS[given.implementation]()))
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
