#!/usr/bin/env python3
"""The corpus, loaded and run from Python alone, as `spec/case-format.md` describes it and nothing else.

    genui-conform export | python3 run_bundle.py
    python3 run_bundle.py --profile chat bundle.json

First the comparison is held to the vectors of the bundle. Then, in each profile, every case is put to an
implementation in this process, and its answers are judged. Exit code 0: all of it holds. 1: something does not.
2: the bundle cannot be used. It needs Python 3.11 and nothing else.
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "adapters" / "python"))
import adapter  # noqa: E402  (what is tested; nothing of it takes part in the comparison)

PROFILES = ("core", "chat", "line-start")

# ---- JSON that keeps what is written ----

NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?")
ABSENT = object()


class Verbatim:
    """JSON text that is sent unchanged."""

    def __init__(self, text: str):
        self.text = text


class Number(Verbatim):
    """A number in its own spelling, and equal to every spelling of the same decimal."""

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Number) and self.exact() == other.exact()

    def exact(self) -> tuple:
        sign, whole, fraction, exponent = NUMBER.fullmatch(self.text).groups(default="")
        digits = (whole + fraction).lstrip("0")
        kept = digits.rstrip("0")
        return (sign, kept, int(exponent or 0) - len(fraction) + len(digits) - len(kept)) if kept else ()


def read_json(text: str) -> Any:
    """Values for which `==` is the comparison of the format. If a name occurs twice, the last value counts."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse)


def write_json(value: Any) -> str:
    if isinstance(value, Verbatim):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{write_json(member)}" for name, member in value.items()) + "}"
    return "[" + ",".join(map(write_json, value)) + "]" if isinstance(value, list) else json.dumps(value)


def nesting(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def steps(place: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in place.split("/")[1:]]


def at(value: Any, place: str) -> Any:
    for step in steps(place):
        if isinstance(value, list) and re.fullmatch("0|[1-9][0-9]*", step) and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return ABSENT
    return value


def put(value: Any, path: list[str], new: Any) -> Any:
    """A copy with another value at a place that has a value."""
    if not path:
        return new
    copy, step = value.copy(), int(path[0]) if isinstance(value, list) else path[0]
    copy[step] = put(value[step], path[1:], new)
    return copy


# ---- The comparison ----

DEFAULTS = {"context": None, "attributes": {}, "end": False}
WHITE = " \t\n\r"

# A line that whole reading takes for a marker line, with the first choice where it is open what a CR at the end is;
# and the places where it inserts a LF before a content marker.
MARKER_LINE = re.compile(r"\]\]>openui:([a-z]+)(?:\?[^\n]*|\r)?\n?")
MOVED = re.compile(r"(?<=[^\n])(?=\]\]>openui:content(?:\?|\r?\n|\Z))")


def equal(expected: Any, found: Any, method: str, profile: str, match: dict[str, str]) -> bool:
    expected, found = filled(expected, method), filled(found, method)
    for place, pattern in match.items():
        here = at(found, place)
        if not isinstance(here, str) or not search(pattern, here):
            return False
        expected = put(expected, steps(place), here)
    return comparable(expected, method, profile) == comparable(found, method, profile)


def filled(result: Any, method: str) -> Any:
    """With the defaults of absent members: in a result of `openui.parse`, and in those that a stream is made of."""
    if method == "openui.stream" and isinstance(result, dict):
        return {name: filled(member, "openui.parse") for name, member in result.items()}
    if method == "openui.parse" and isinstance(result, list):
        return [filled(snapshot, method) for snapshot in result]
    return DEFAULTS | result if method == "openui.parse" and isinstance(result, dict) else result


def search(pattern: str, text: str) -> bool:
    """In Python alone `$` also matches before a last LF; the end is meant, its `\\Z`."""
    end_is_end = re.sub(r"(\\.|\[(?:\\.|[^\]\\])*\])|\$", lambda part: part[1] or r"\Z", pattern)
    return re.search(end_is_end, text) is not None


def comparable(result: Any, method: str, profile: str) -> Any:
    """The result, with the JSON inside its message or text as values, and the rules of violations as a set."""
    if method == "glossen.check" and isinstance(result, dict) and "violations" in result:
        return result | {"violations": broken_rules(result["violations"])}
    name = {"openui.model_text": "text", "openui.build": "message", "openui.from_event": "message"}.get(method)
    if not isinstance(result, dict) or not isinstance(result.get(name), str):
        return result
    return result | {name: cut_text(result[name]) if name == "text" else cut_message(result[name], profile)}


def broken_rules(violations: Any) -> Any:
    """The set of rules of violations; for a list with other items, a value that equals nothing."""
    is_list = isinstance(violations, list)
    are_violations = is_list and all(isinstance(item, dict) and isinstance(item.get("rule"), str) for item in violations)
    return {item["rule"] for item in violations} if are_violations else object()


def cut_text(text: str) -> tuple:
    before, label, behind = text.rpartition("\ncontext and form values = ")
    return before, label, json_or_text(behind) if label else behind


def cut_message(message: str, profile: str) -> tuple:
    """Each marker line with the text after it, by the characters of the message, only split: no LF is inserted."""
    pieces = [["", "", ""]]
    for stretch in [message] if profile == "line-start" else MOVED.split(message):
        for line in re.findall(r"[^\n]*\n|[^\n]+", stretch):
            if marker := MARKER_LINE.fullmatch(line):
                pieces.append([marker[1], line, ""])
            else:
                pieces[-1][2] += line
    return tuple((line, json_or_text(body) if kind == "context" else body) for kind, line, body in pieces)


def json_or_text(text: str) -> str | tuple:
    """For JSON the white space before it, the value and the white space after it; other text unchanged."""
    try:
        value = read_json(text)
    except (ValueError, RecursionError):
        return text
    around = text[: len(text) - len(text.lstrip(WHITE))], text[len(text.rstrip(WHITE)) :]
    return (around, value) if nesting(value) <= 1000 else text


# ---- Asking ----


class Answer(NamedTuple):
    kind: str  # result, refusal, unsupported, error, or missing where there is no such method
    value: Any

    def __str__(self) -> str:
        return write_json(self.value) if self.kind == "result" else f"{self.kind}: {self.value}"


class Whole:
    """Takes every message for its own content: wrong by the hundred, to show that what is wrong comes out."""

    def answer(self, line: bytes) -> str:
        request = json.loads(line)
        starts = request["method"] == "initialize"
        result = {"methods": ["openui.parse"]} if starts else {"content": request["params"]["raw"]}
        return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})


IMPLEMENTATIONS = {"starter": adapter.Adapter, "whole": Whole}


def ask(implementation: Any, method: str, params: Any) -> Answer:
    request = {"jsonrpc": "2.0", "id": Number("1"), "method": method, "params": params}
    reply = read_json(implementation.answer(write_json(request).encode("utf-8")))
    if "result" in reply:
        return Answer("result", reply["result"])
    code, kind = reply["error"]["code"].text, at(reply["error"], "/data/kind")
    if code == "1" and kind is not ABSENT:
        return Answer("refusal", kind)
    return Answer({"2": "unsupported", "-32601": "missing"}.get(code, "error"), reply["error"]["message"])


def params_of(case: dict) -> Any:
    params = case["params"]
    for place, text in case.get("text", {}).items():
        params = put(params, steps(place), Verbatim(re.sub("[\r\n]", " ", text)))
    return params


# ---- Judging ----

WRONG = {"must": "fail", "should": "warn", "may": "info"}
NO_ANSWER = {"unsupported": "unsupported", "error": "error", "missing": "fail"}


def options_of(case: dict) -> list[dict]:
    return case["expect"].get("one_of") or [case["expect"] | {"choices": {}}]


def fits(option: dict, answer: Answer, case: dict, profile: str) -> bool:
    if answer.kind == "result" and "result" in option:
        return equal(option["result"], answer.value, case["method"], profile, case.get("match", {}))
    return answer.kind == "refusal" and answer.value == option.get("error")


# The choices of each open point that are still possible. One that is not in here has all of its choices.
Possible = dict[str, set[str]]


def allowed(option: dict, bound: Possible) -> bool:
    return all(choice in bound.get(point, {choice}) for point, choice in option["choices"].items())


def narrow(fitting: list[list[dict]], bound: Possible) -> None:
    """Rules out each choice that no option with a matching answer makes, until no more are ruled out."""
    before = None
    while before != bound:
        before = dict(bound)
        for options in fitting:
            options = [option for option in options if allowed(option, bound)]
            for point in options[0]["choices"] if options else ():
                if all(point in option["choices"] for option in options):
                    made = {option["choices"][point] for option in options}
                    bound[point] = bound.get(point, made) & made


def judge(case: dict, answers: list[Answer], bound: Possible, profile: str) -> str:
    answer, *to_same = answers
    if answer.kind in NO_ANSWER:
        return NO_ANSWER[answer.kind]
    for again in to_same:
        if again.kind in NO_ANSWER and again.kind != "unsupported":
            return NO_ANSWER[again.kind]
    fitting = [option for option in options_of(case) if fits(option, answer, case, profile)]
    right = [option for option in fitting if allowed(option, bound)]
    if not right:
        refusals = [option for option in options_of(case) if "error" in option and allowed(option, bound)]
        another_kind = answer.kind == "refusal" and refusals and not fitting
        return WRONG["should"] if another_kind and case["level"] == "must" else WRONG[case["level"]]
    for again in to_same:
        if again.kind in NO_ANSWER:
            return NO_ANSWER[again.kind]
        if not fits({"error" if answer.kind == "refusal" else "result": answer.value}, again, case, profile):
            another_kind = again.kind == answer.kind == "refusal" and case["level"] == "must"
            return WRONG["should" if another_kind else case["level"]]
    return "warn" if "warn" in right[0] else "pass"


def run(bundle: dict, profile: str, implementation: Any) -> list[tuple[dict, str, list[Answer]]]:
    """Each case of the profile but those about cost, with its verdict and the answers to its params and to `same`."""
    wish = {"protocol": Number("1"), "suite": bundle["suite"], "profile": profile, "choices": {}}
    offer = ask(implementation, "initialize", wish).value
    asked = []
    for case in cases_in(bundle, profile):
        if "scale" not in case:
            sets = [params_of(case)] + ([case["same"]] if "same" in case else [])
            if (method := case["method"]) in offer["methods"]:
                asked.append((case, [ask(implementation, method, params) for params in sets]))
            else:
                asked.append((case, [Answer("unsupported", f"no method {method}")]))
    open_here = {rule["id"] for rule in bundle["rules"] if profile in rule["open_in"]}
    bound = {point: {choice} for point, choice in offer.get("choices", {}).items() if point in open_here}
    def fitting_of(case: dict, answer: Answer) -> list[dict]:
        return [option for option in options_of(case) if fits(option, answer, case, profile)]

    fitting = [fitting_of(case, answers[0]) for case, answers in asked]
    for options in fitting:
        if len(options) == 1 and allowed(options[0], bound):
            bound |= {point: {choice} for point, choice in options[0]["choices"].items()}
    narrow(fitting, bound)
    return [(case, judge(case, answers, bound, profile), answers) for case, answers in asked]


def cases_in(bundle: dict, profile: str) -> list[dict]:
    return [case for case in bundle["cases"] if profile in case.get("profiles", PROFILES)]


# ---- The bundle ----

KINDS = {str: "a string", list: "a list", dict: "an object", bool: "true or false"}
BUNDLE = {"suite": str, "hash": str, "rules": list, "aliases": dict, "compare": dict, "cases": list}
RULE = {"id": str, "level": str, "profiles": list, "choices": list, "open_in": list, "text": str}
VECTOR = {"about": str, "method": str, "expected": dict, "found": dict, "equal": bool}
CASE = {"id": str, "about": str, "rules": list, "level": str, "since": str, "method": str, "params": dict}
MORE_OF_CASE = {"profiles": list, "expect": dict, "match": dict, "text": dict, "same": dict, "scale": dict}


class Broken(Exception):
    """The bundle is not as the format has it."""


def want(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise Broken(f"{where}: expected {what}")


def check(value: Any, where: str, required: dict[str, type], optional: dict[str, type] = {}) -> None:
    want(isinstance(value, dict), where, "an object")
    for name in required:
        want(name in value, where, f"a member `{name}`")
    for name, member in value.items():
        kind = (required | optional).get(name)
        want(kind is not None, where, f"no member `{name}`: what it changes is not known here")
        want(isinstance(member, kind), f"{where}/{name}", KINDS[kind])


def check_case(case: dict, where: str) -> None:
    check(case, where, CASE, MORE_OF_CASE)
    want(case["level"] in WRONG, f"{where}/level", " or ".join(WRONG))
    want(("expect" in case) != ("scale" in case), where, "either `expect` or `scale`")
    for profile in case.get("profiles", []):
        want(profile in PROFILES, f"{where}/profiles", " or ".join(PROFILES))
    check_places(case, "text", case["params"], where)
    if "expect" in case:
        want(len(case["expect"]) == 1, f"{where}/expect", "one member: `result`, `error` or `one_of`")
        check(case["expect"], f"{where}/expect", {}, {"result": dict, "error": str, "one_of": list})
        for option in options_of(case):
            check(option, f"{where}/expect", {"choices": dict}, {"result": dict, "error": str, "warn": str})
            want(("result" in option) != ("error" in option), f"{where}/expect", "either `result` or `error`")
            if "result" in option:
                check_places(case, "match", option["result"], where)


def check_places(owner: dict, name: str, value: Any, where: str) -> None:
    for place, what in owner.get(name, {}).items():
        want(isinstance(what, str), f"{where}/{name}", f"a string for {place}")
        want(at(value, place) is not ABSENT, f"{where}/{name}", f"a place that has a value, not {place}")
        try:
            re.compile(what if name == "match" else "")
        except re.error as why:
            raise Broken(f"{where}/{name}: expected a regular expression for {place}: {why}") from None


def load(source: bytes) -> dict:
    try:
        bundle = read_json(source.decode("ascii"))
    except (ValueError, RecursionError) as why:  # bytes beyond ASCII are a ValueError, too
        raise Broken(f"expected one JSON document in ASCII, as `genui-conform export` prints it: {why}") from None
    check(bundle, "the bundle", BUNDLE)
    check(bundle["compare"], "compare", {"about": str, "vectors": list})
    vectors, cases = bundle["compare"]["vectors"], bundle["cases"]
    want(bool(vectors and cases), "the bundle", "vectors and cases")
    for number, rule in enumerate(bundle["rules"]):
        check(rule, f"rules/{number}", RULE)
    for number, vector in enumerate(vectors):
        check(vector, f"compare/vectors/{number}", VECTOR, {"profile": str, "match": dict})
        want(vector.get("profile", "core") in PROFILES, f"compare/vectors/{number}/profile", " or ".join(PROFILES))
        check_places(vector, "match", vector["expected"], f"compare/vectors/{number}")
    for number, case in enumerate(cases):
        check_case(case, f"cases/{number}" + (f" ({case.get('id')})" if isinstance(case, dict) else ""))
    ids = [case["id"] for case in cases]
    want(ids == sorted(set(ids)), "cases", "each id once, in the order of their bytes")
    return bundle


# ---- The report ----


def show(name: str, **lines: str) -> None:
    print(f"  {name}")
    for label, text in lines.items():
        print(f"    {label}: {text if len(text) <= 400 else f'{text[:400]}... ({len(text)} characters)'}")


def report_vectors(vectors: list[dict]) -> bool:
    words, wrong = {True: "equal", False: "different"}, []
    for number, vector in enumerate(vectors):
        profile, match = vector.get("profile", "core"), vector.get("match", {})
        found = equal(vector["expected"], vector["found"], vector["method"], profile, match)
        if found != vector["equal"]:
            wrong.append((f"vector {number}: {vector['about']}", words[vector["equal"]], words[found]))
    print(f"vectors: {len(vectors)}: {len(vectors) - len(wrong)} hold")
    for name, expected, found in wrong:
        show(name, expected=expected, found=found)
    return not wrong


def report_profile(bundle: dict, profile: str, implementation: Any) -> bool:
    judged = run(bundle, profile, implementation)
    counts = Counter(verdict for _, verdict, _ in judged)
    print(f"{profile}: {len(judged)} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if scaled := [case["id"] for case in cases_in(bundle, profile) if "scale" in case]:
        names = f" ({', '.join(scaled)})" if len(scaled) <= 10 else ""
        print(f"  left out, as cost is not measured here: {len(scaled)}{names}")
    failed = [(case, verdict, answers) for case, verdict, answers in judged if verdict in ("fail", "error")]
    for case, verdict, answers in failed:
        found = dict(zip(("found", "to_same"), map(str, answers)))
        show(f"{verdict} {case['id']}", expected=write_json(case["expect"]), **found)
    return bool(judged) and not failed


def main() -> int:
    parser = argparse.ArgumentParser(description="Run an exported corpus from Python alone.")
    parser.add_argument("bundle", nargs="?", default="-", help="a file; without it, standard input")
    parser.add_argument("--profile", action="append", choices=PROFILES, help="without it, each of the three")
    parser.add_argument("--implementation", default="starter", choices=IMPLEMENTATIONS)
    given = parser.parse_args()
    sys.setrecursionlimit(5000)  # JSON of a thousand levels, a few calls to each
    sys.set_int_max_str_digits(0)  # exponents of any length
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
