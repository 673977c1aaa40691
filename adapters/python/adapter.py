#!/usr/bin/env python3
"""OpenUI stored messages, ToonUI events and Glossen messages in one file: a starter for an adapter of your own.

    genui-conform run -- python3 adapter.py
    genui-conform run --profile chat --choice openui.legacy.streaming=held -- python3 adapter.py

It needs Python 3.11 and nothing else. To test a reader of your own, keep the protocol loop, let the functions in
METHODS call your code, and drop from METHODS what your code does not support.

Below the loop is a complete implementation that keeps the written rules one by one and prefers the plain way to
the fast one. Its comments name the rule they keep; `genui-conform rules` prints them all.
"""

import ipaddress
import json
import math
import random
import re
import sys
import threading
import unicodedata
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, BinaryIO, Callable, Iterable, Iterator, NamedTuple
from urllib.parse import quote, unquote_to_bytes

# ---- The protocol: JSON-RPC 2.0, one object a line on standard input, one answer a line on standard output ----


class Refusal(Exception):
    """An answer with code 1: `kind` is one that a case can expect, the message says what is wrong and where."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


class NoSuchMethod(Exception):
    """An unsupported method. Python's NotImplementedError would be a fault of the code under test."""


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    adapter = Adapter()
    for lines in batches(source):
        for answer in map(adapter.answer, lines):
            if answer is not None:
                sink.write(answer.encode("ascii") + b"\n")
        sink.flush()


def batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that have arrived together, so that their answers can be flushed together."""
    pending: list[bytes] = []
    while chunk := source.read1(1 << 16):
        pending.append(chunk)
        if b"\n" in chunk:
            *lines, rest = b"".join(pending).split(b"\n")
            pending = [rest]
            yield lines
    if last := b"".join(pending):
        yield [last]  # the input ended without a line feed


class Adapter:
    """What lasts from one request to the next: only the rules in force."""

    def __init__(self) -> None:
        self.rules = Rules("core", {})

    def answer(self, line: bytes) -> str | None:
        try:
            request = read_json(line.decode("utf-8"))
        except RecursionError:
            return error(None, -32600, "the request is nested too deeply")
        except ValueError as why:
            return error(None, -32700, f"the line is not JSON: {why}")
        if not isinstance(request, dict) or not isinstance(request.get("id"), (str, Number, type(None))):
            return error(None, -32600, "a request is an object, and its id a string, a number or null")
        identity, method = request.get("id"), request.get("method")
        if request.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return error(identity, -32600, 'a request has "jsonrpc": "2.0" and the name of a method')
        if "id" not in request:
            return None  # a notification is never answered
        try:
            result = self.call(method, request.get("params", {}))
            return write_json({"jsonrpc": "2.0", "id": identity, "result": result})
        except NoSuchMethod:
            return error(identity, -32601, f"no method {method}")
        except Refusal as refusal:
            return error(identity, 1, str(refusal), {"data": {"kind": refusal.kind}})
        except Exception as why:  # a fault here must not affect later requests
            return error(identity, -32603, f"{type(why).__name__}: {why}")

    def call(self, method: str, params: Any) -> dict:
        if method != "initialize" and method not in METHODS:
            raise NoSuchMethod
        if not isinstance(params, dict):
            raise Refusal("bad-params", "params is not an object")
        if method == "initialize":
            return self.initialize(params)
        function, known = METHODS[method]
        if unknown := [name for name in params if name not in known]:
            raise Refusal("bad-params", f"{method} has no parameter {unknown[0]!r}")
        return function(params, self.rules)

    def initialize(self, params: dict) -> dict:
        """Do as the run asks. What cannot be followed shows in the answer and is said on standard error."""
        profile, wanted = params.get("profile", "core"), params.get("choices", {})
        if not isinstance(profile, str) or not isinstance(wanted, dict):
            raise Refusal("bad-params", "profile is not a string, or choices is not an object")
        if profile not in PROFILES:
            print(f"there is no profile {profile!r} here: reading as core", file=sys.stderr)
        self.rules = Rules(profile if profile in PROFILES else "core", wanted)
        return {
            "protocol": 1,
            "implementation": {"name": "genui-conform-python-starter", "version": "0.1.0", "language": "Python"},
            "methods": list(METHODS),
            "profiles": list(PROFILES),
            "choices": self.rules.choices,
        }


def error(identity: Any, code: int, message: str, more: dict = {}) -> str:
    return write_json({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message} | more})


# ---- The methods: from params to result ----


def checked(value: Any, name: str, kind: type) -> Any:
    """A string of Unicode scalar values (as every message is), a list, or a flag, which may be absent."""
    if kind is bool and value is None:
        return False
    if not isinstance(value, kind):
        raise Refusal("bad-params", f"{name} is not a {kind.__name__}")
    if kind is str and (lone := SURROGATE.search(value)):
        raise Refusal("bad-params", f"{name} has a lone surrogate at character {lone.start()}")
    return value


def parse(params: dict, rules: "Rules") -> dict:
    streaming = checked(params.get("streaming"), "streaming", bool)
    return read(checked(params.get("raw"), "raw", str), streaming, rules).result()


def stream(params: dict, rules: "Rules") -> dict:
    """Each snapshot reads all that has come, from its beginning: the plain way, and why `stream` costs the most."""
    so_far, snapshots = "", []
    for number, chunk in enumerate(checked(params.get("chunks"), "chunks", list)):
        so_far += checked(chunk, f"chunks[{number}]", str)
        snapshots.append(read(so_far, True, rules).result())
    return {"snapshots": snapshots, "final": read(so_far, False, rules).result()}


def build(params: dict, rules: "Rules") -> dict:
    content, context, attributes = checked(params.get("content"), "content", str), params.get("context"), []
    if isinstance(context, str):
        checked(context, "context", str)
    given = params.get("attributes")
    for number, pair in enumerate([] if given is None else checked(given, "attributes", list)):
        where = f"attributes[{number}]"
        if len(checked(pair, where, list)) != 2:
            raise Refusal("bad-params", f"{where} is not a name and a value")
        attributes.append((checked(pair[0], where, str), checked(pair[1], where, str)))
    end = checked(params.get("end"), "end", bool)
    return {"message": write_message(content, context, attributes, end, rules)}


def model_text(params: dict, rules: "Rules") -> dict:
    message, role = read(checked(params.get("raw"), "raw", str), False, rules), params.get("role")
    if role not in ("assistant", "user"):
        raise Refusal("bad-params", "role is neither assistant nor user")
    if role == "assistant" or message.context is None:
        return {"text": message.content}  # openui.model.assistant
    value, is_text = message.context
    as_it_is = is_text and rules.chose("openui.model.text-context", "text")
    json_or_text = value if as_it_is else write_json(value, quote_raw)
    return {"text": f"{message.content}\ncontext and form values = {json_or_text}"}  # openui.model.user


def from_event(params: dict, rules: "Rules") -> dict:
    """The turn that a click writes. A form state or a context of null is none."""
    message, form_state = checked(params.get("message"), "message", str), params.get("form_state")
    context = params.get("context")
    elements: list = [f"User clicked: {message}"]  # openui.event.clicked
    if form_state is not None or context is not None:
        elements.append({} if form_state is None else form_state)  # openui.event.form-state
    if context is not None:
        elements.append(context)  # openui.event.context
    if message == "" and rules.chose("openui.event.empty-message", "no-content-line"):
        return {"message": f"\n{PREFIX}context\n{json_context(elements, rules)}"}
    return {"message": write_message(message, elements, [], False, rules)}


def reply(params: dict, rules: "Rules") -> dict:
    """toonui.event.defaults: only a context that is absent becomes `{}`, one of null stays null."""
    value, context = checked(params.get("value"), "value", str), params.get("context", {})
    button = {"source": "button", "component": "button", "value": value}
    return {"payload": {"kind": "ui_reply", "eventId": event_id("reply")} | button | {"context": context}}


def submit(params: dict, rules: "Rules") -> dict:
    """toonui.event.form-title: the intent once more. Values of null are none (toonui.event.defaults)."""
    intent, values = checked(params.get("intent"), "intent", str), params.get("values")
    form = {"source": "form", "intent": intent, "formTitle": intent, "values": {} if values is None else values}
    return {"payload": {"kind": "ui_submit", "eventId": event_id("submit")} | form}


def to_content(params: dict, rules: "Rules") -> dict:
    return {"text": content_of(params.get("payload"))}


def to_display_content(params: dict, rules: "Rules") -> dict:
    return {"text": display_text_of(params.get("payload"))}


def to_model_message(params: dict, rules: "Rules") -> dict:
    payload = params.get("payload")
    texts = {"content": content_of(payload), "displayContent": display_text_of(payload)}
    return {"message": {"role": "user"} | pick(payload, "kind") | texts | {"payload": payload}}


def to_ui_message(params: dict, rules: "Rules") -> dict:
    payload = params.get("payload")
    parts = [{"type": "text", "text": content_of(payload)}]
    metadata = {"displayContent": display_text_of(payload)} | pick(payload, "kind")
    identity = {"id": payload["eventId"]} if "eventId" in payload else {}  # toonui.message.id
    return {"message": identity | {"role": "user", "parts": parts, "metadata": metadata}}


def pick(payload: dict, name: str) -> dict:
    """toonui.content.kind: a message has the member as the payload has it, and none where the payload has none."""
    return {name: payload[name]} if name in payload else {}


def validate(params: dict, rules: "Rules") -> dict:
    try:
        return {"accepted": True, "messages": accept(params.get("messages"), rules)}
    except NotAccepted:
        return {"accepted": False}


def check(params: dict, rules: "Rules") -> dict:
    (message,) = acceptable([params.get("message")], "message")
    pages = None if params.get("pages") is None else page_list(params["pages"])
    finished = checked(params.get("finished"), "finished", bool)
    return {"violations": [{"rule": rule, "at": at} for rule, at in violations(message, pages, finished)]}


def to_model_messages(params: dict, rules: "Rules") -> dict:
    messages = acceptable(params.get("messages"), "messages")
    return {"messages": [for_model for message in messages for for_model in model_messages(message, rules)]}


def sources(params: dict, rules: "Rules") -> dict:
    answer, origin = checked(params.get("answer"), "answer", str), checked(params.get("origin"), "origin", str)
    found = sources_of(answer, base_of(origin), page_list(params.get("pages")))
    return {"sources": [{"title": title, "url": url} for url, title in found.items()]}


def edit(params: dict, rules: "Rules") -> dict:
    """glossen.edit.unknown-id: the first message with the id counts. glossen.edit.as-given, glossen.edit.prefix: what
    comes back is as it was given, with the members that validation would leave out."""
    messages = acceptable(params.get("messages"), "messages")
    (edited,) = acceptable([params.get("edited")], "edited")
    places = [place for place, message in enumerate(messages) if message["id"] == edited["id"]]
    if not places:
        raise Refusal("unknown-id", f"no message has the id {edited['id']!r}")
    if messages[places[0]]["role"] != "user":
        raise Refusal("not-a-user-message", f"messages[{places[0]}], which has the id, is not a user's")
    stray = {"messageId": edited["id"]} if rules.chose("glossen.edit.stray-key", "kept") else {}
    return {"messages": messages[: places[0]] + [edited | stray]}  # glossen.edit.replace


METHODS: dict[str, tuple[Callable[[dict, "Rules"], dict], set[str]]] = {
    "openui.parse": (parse, {"raw", "streaming"}),
    "openui.stream": (stream, {"chunks"}),
    "openui.build": (build, {"content", "context", "attributes", "end"}),
    "openui.model_text": (model_text, {"raw", "role"}),
    "openui.from_event": (from_event, {"message", "form_state", "context"}),
    "toonui.reply": (reply, {"value", "context"}),
    "toonui.submit": (submit, {"intent", "values"}),
    "toonui.to_content": (to_content, {"payload"}),
    "toonui.to_display_content": (to_display_content, {"payload"}),
    "toonui.to_model_message": (to_model_message, {"payload"}),
    "toonui.to_ui_message": (to_ui_message, {"payload"}),
    "glossen.validate": (validate, {"messages"}),
    "glossen.check": (check, {"message", "pages", "finished"}),
    "glossen.to_model_messages": (to_model_messages, {"messages"}),
    "glossen.sources": (sources, {"answer", "origin", "pages"}),
    "glossen.edit": (edit, {"messages", "edited"}),
}

# ---- Profiles and open points ----

PROFILES = ("core", "chat", "line-start")

# Where the documents are silent: the profiles in which the point is open, our default, the other choices.
OPEN_POINTS: dict[str, tuple[tuple[str, ...], str, *tuple[str, ...]]] = {
    "openui.marker.cr-at-end": (PROFILES, "marker", "text"),
    "openui.marker.mid-line-cr-at-end": (("core", "chat"), "text", "marker"),
    "openui.read.several-contexts": (PROFILES, "last", "first"),
    "openui.read.stale-end": (PROFILES, "counts", "ignored"),
    "openui.context.empty": (PROFILES, "empty-string", "absent"),
    "openui.context.numbers": (PROFILES, "exact", "double", "exact-integers", "64-bit-integers"),
    "openui.attributes.duplicate": (PROFILES, "last", "first"),
    "openui.attributes.empty-name": (PROFILES, "dropped", "kept"),
    "openui.stream.hold-impossible": (("core", "chat"), "held", "shown"),
    "openui.stream.mid-line-partial": (("core", "chat"), "shown", "held"),
    "openui.build.forged-marker": (PROFILES, "refused", "written"),
    "openui.build.not-writable": (PROFILES, "refused", "written"),
    "openui.model.text-context": (PROFILES, "text", "json-string"),
    "openui.event.empty-message": (PROFILES, "content-line", "no-content-line"),
    "openui.legacy.streaming": (("chat",), "raw", "held"),
    "glossen.type.extra-keys": (PROFILES, "stripped", "kept"),
    "glossen.type.url": (PROFILES, "any-string", "checked"),
    "glossen.validate.order": (PROFILES, "not-enforced", "enforced"),
    "glossen.model.file": (PROFILES, "string", "object"),
    "glossen.edit.stray-key": (PROFILES, "dropped", "kept"),
}


def is_integer(literal: str) -> bool:
    return literal.removeprefix("-").isdecimal()


# openui.context.numbers: which numbers stay as they are under each choice. The others become doubles.
KEEPS_DIGITS: dict[str, Callable[[str], bool]] = {
    "exact": lambda literal: True,
    "double": lambda literal: False,
    "exact-integers": is_integer,
    # Twenty digits are enough for 64 bits. (`int` refuses a text of thousands.)
    "64-bit-integers": lambda literal: len(literal) <= 20 and is_integer(literal) and -(2**63) <= int(literal) < 2**64,
}


class Rules:
    """A profile, and one choice for each point that is open in it."""

    def __init__(self, profile: str, wanted: dict):
        self.profile = profile
        self.moves = profile != "line-start"  # whether a content marker counts in the middle of a line
        self.choices = {point: first for point, (where, first, *_) in OPEN_POINTS.items() if profile in where}
        for point, choice in wanted.items():
            if point in self.choices and choice in OPEN_POINTS[point][1:]:
                self.choices[point] = choice
            else:
                print(f"cannot follow {point} = {choice!r} in {profile}", file=sys.stderr)

    def chose(self, point: str, choice: str) -> bool:
        return self.choices[point] == choice

    def number(self, literal: str) -> str:
        """openui.context.numbers, of numbers that are read and of those that are written."""
        return literal if KEEPS_DIGITS[self.choices["openui.context.numbers"]](literal) else as_double(literal)


# ---- Lines and markers ----

PREFIX = "]]>openui:"
CONTENT_MARKER = PREFIX + "content"

# openui.marker.grammar, for a line without its ending.
MARKER = re.compile(r"\]\]>openui:([a-z]+)(?:\?([^\n]*))?")

# openui.marker.mid-line-content: something other than LF before it, and after it `?`, a line ending or the end.
MID_LINE = re.compile(r"(?<=[^\n])\]\]>openui:content(?=\?|\r?\n|\Z)")
# While more is to come, the end of the text so far is not the end.
MID_LINE_STREAMING = re.compile(r"(?<=[^\n])\]\]>openui:content(?=\?|\r?\n)")
# With openui.marker.mid-line-cr-at-end `marker`, a CR at the very end is the marker's line ending: it is matched too.
MID_LINE_CR = re.compile(r"(?<=[^\n])\]\]>openui:content(?:\r\Z|(?=\?|\r?\n|\Z))")


class Line(NamedTuple):
    text: str
    ending: str  # LF, CRLF, or nothing at the end of the message


class Marker(NamedTuple):
    kind: str
    attributes: str


def split_lines(message: str) -> list[Line]:
    """Only LF ends a line, and takes the one CR before it along. (`str.splitlines` knows far too many endings.)"""
    lines = []
    for piece in re.findall(r"[^\n]*\n|[^\n]+", message):
        ending = "\r\n" if piece.endswith("\r\n") else "\n" if piece.endswith("\n") else ""
        lines.append(Line(piece[: len(piece) - len(ending)], ending))
    return lines


def marker_in(line: str) -> Marker | None:
    """What a line is, given without its ending (openui.marker.line-start: from its very first character)."""
    match = MARKER.fullmatch(line)
    return Marker(match[1], match[2] or "") if match else None


def marker_of(line: Line, rules: Rules) -> Marker | None:
    marker = marker_in(line.text)  # after `?`, a CR without LF is a character of the attributes
    if marker is None and line.ending == "" and line.text.endswith("\r"):
        if rules.chose("openui.marker.cr-at-end", "marker"):
            return marker_in(line.text[:-1])
    return marker


def mid_line(streaming: bool, rules: Rules) -> re.Pattern:
    if streaming:
        return MID_LINE_STREAMING
    return MID_LINE_CR if rules.chose("openui.marker.mid-line-cr-at-end", "marker") else MID_LINE


# ---- Reading ----


class Context(NamedTuple):
    value: Any
    is_text: bool  # it was not JSON, and `value` is its text


@dataclass
class Message:
    content: str
    context: Context | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    end: bool = False

    def result(self) -> dict:
        context = self.context.value if self.context else None
        return {"content": self.content, "context": context, "attributes": self.attributes, "end": self.end}


class Section:
    """A marker line (or the start of the message) and the text after it, up to the next marker other than `end`."""

    def __init__(self, marker: Marker):
        self.kind, self.attributes = marker
        self.runs: list[list[Line]] = [[]]  # an end line starts a new run of lines

    def body(self, at_end_of_message: bool) -> str:
        """openui.section.line-ending-before-marker: a run with a marker line after it loses its last line ending.
        openui.section.end-of-message: the last run of the message loses nothing.
        openui.read.text-after-end: runs are joined by one LF, and one without a line is no run."""
        texts = []
        for number, run in enumerate(self.runs):
            if run:
                whole = "".join(line.text + line.ending for line in run)
                is_last = at_end_of_message and number == len(self.runs) - 1
                texts.append(whole if is_last else whole[: len(whole) - len(run[-1].ending)])
        return "\n".join(texts)


def read(message: str, streaming: bool, rules: Rules) -> Message:
    shown, held = message, False
    if rules.moves:  # openui.marker.mid-line-content: a LF before each, the places found once, before any line is read
        shown = mid_line(streaming, rules).sub("\n" + CONTENT_MARKER, shown)
    if streaming:  # openui.stream.only-when-streaming
        shown, held = hold_back(shown, rules)
    # openui.legacy.prefix-first; a held line counts as a marker line, and so as the prefix.
    if rules.profile == "chat" and PREFIX not in message and not held:
        if envelope := read_envelope(message, rules):
            return envelope
        if streaming and rules.chose("openui.legacy.streaming", "held"):
            shown = hold_envelope(shown)
    return read_sections(shown, held, rules)


def read_sections(message: str, held: bool, rules: Rules) -> Message:
    sections = [Section(Marker("leading text", ""))]  # with a space, so that no marker is of this kind
    for line in split_lines(message):
        marker = marker_of(line, rules)
        if marker is None:
            sections[-1].runs[-1].append(line)
        elif marker.kind == "end":  # it ends no section, not even an unknown one (openui.read.unknown-kind)
            sections[-1].runs.append([])
        else:
            sections.append(Section(marker))
    if held:  # as a marker line of an unknown kind with nothing after it
        sections.append(Section(Marker("held line", "")))

    def body(index: int) -> str:
        return sections[index].body(at_end_of_message=index == len(sections) - 1)

    # openui.read.last-content-wins. Without one it is the leading text, number 0 (openui.read.leading-text).
    winner = max((index for index, section in enumerate(sections) if section.kind == "content"), default=0)
    # openui.read.context-before-content, openui.read.several-contexts
    contexts = [index for index in range(winner + 1, len(sections)) if sections[index].kind == "context"]
    chosen = contexts[-1 if rules.chose("openui.read.several-contexts", "last") else 0] if contexts else None
    context = None if chosen is None else read_context(body(chosen), rules)
    # openui.read.end, openui.read.stale-end; no end line precedes the leading text, which starts the message.
    counting = sections if rules.chose("openui.read.stale-end", "counts") else sections[winner:]
    end = any(len(section.runs) > 1 for section in counting)
    return Message(body(winner), context, decode_attributes(sections[winner].attributes, rules), end)


# ---- Reading while streaming ----

# openui.stream.hold-marker: a marker line or what can still become one, perhaps with the CR of a CRLF to come.
CAN_BE_MARKER = re.compile(r"\]\]>openui:(?:[a-z]*|[a-z]+\r|[a-z]+\?[^\n]*)")
MARKER_IF_ENDED_HERE = re.compile(r"\]\]>openui:[a-z]+\r?")


def hold_back(message: str, rules: Rules) -> tuple[str, bool]:
    """What may be read of a message that is still arriving, and whether a held line follows it.
    A content marker whose `?` or line ending has come is on a line of its own by now."""
    start = message.rfind("\n") + 1
    before, line = message[:start], message[start:]
    if line == "":
        return message, False  # openui.stream.release
    if PREFIX.startswith(line) or CAN_BE_MARKER.fullmatch(line):
        return before, True  # openui.stream.hold-prefix, openui.stream.hold-marker
    impossible = line.startswith(PREFIX)
    if not rules.moves:
        return (before, True) if impossible else (message, False)

    tail = content_marker_tail(line)
    head = line[: len(line) - len(tail)]
    if tail and MARKER_IF_ENDED_HERE.fullmatch(head):
        return before, True  # a LF put before the tail would make the head a marker line
    if impossible and rules.chose("openui.stream.hold-impossible", "held"):
        return before, True
    if tail.rstrip("\r") == CONTENT_MARKER:
        return before + head + "\n", True  # openui.stream.mid-line-complete: as if the LF had been put already
    if tail and rules.chose("openui.stream.mid-line-partial", "held"):
        return before + head, False  # the piece alone, which is no line
    return message, False


def content_marker_tail(line: str) -> str:
    """The content marker that the line ends in, with a CR if one follows it, or else the longest piece of one."""
    if line.endswith(CONTENT_MARKER + "\r"):
        return CONTENT_MARKER + "\r"
    lengths = range(len(CONTENT_MARKER), 0, -1)
    return next((CONTENT_MARKER[:length] for length in lengths if line.endswith(CONTENT_MARKER[:length])), "")


# ---- Contexts and JSON ----

DEEPEST = 900  # openui.context.limits: a context nested deeper is text, because its answer has to fit a protocol line
SURROGATE = re.compile("[\ud800-\udfff]")


class Number(NamedTuple):
    """A JSON number as it is written, or as a double is written where contexts are read so."""

    literal: str


def read_context(body: str, rules: Rules) -> Context | None:
    if body == "":
        return Context("", is_text=True) if rules.chose("openui.context.empty", "empty-string") else None
    try:
        value = read_json(body, rules.number)
    except (ValueError, RecursionError):
        return Context(body, is_text=True)  # openui.context.text
    if nesting(value) > DEEPEST:
        return Context(body, is_text=True)
    return None if value is None else Context(value, is_text=False)  # openui.context.absent, openui.context.json


def read_json(source: str, number: Callable[[str], str] = str) -> Any:
    """JSON by its own grammar, which has no NaN. Of members with one name the last stays, in the place of the first."""

    def keep(literal: str) -> Number:
        if literal in ("NaN", "Infinity", "-Infinity"):  # Python would take these
            raise ValueError(f"{literal} is not JSON")
        return Number(number(literal))

    return json.loads(source, parse_int=keep, parse_float=keep, parse_constant=keep)


def write_json(
    value: Any,
    quote: Callable[[str], str] = json.dumps,
    number: Callable[[str], str] = str,
    members: Callable[[dict], Iterable[tuple[str, Any]]] = dict.items,
) -> str:
    """Compact JSON. Left alone, `quote` escapes all but ASCII, lone surrogates included, as suits the protocol."""
    out: list[str] = []

    def put(value: Any) -> None:
        if isinstance(value, str):
            out.append(quote(value))
        elif isinstance(value, Number):
            out.append(number(value.literal))
        elif isinstance(value, dict):
            out.append("{")
            for position, (name, member) in enumerate(members(value)):
                out.append(("," if position else "") + quote(name) + ":")
                put(member)
            out.append("}")
        elif isinstance(value, list):
            out.append("[")
            for position, element in enumerate(value):
                out.append("," if position else "")
                put(element)
            out.append("]")
        else:
            out.append(json.dumps(value))  # null, true, false, and the protocol's own integers

    put(value)
    return "".join(out)


def quote_raw(string: str) -> str:
    """A JSON string with everything but lone surrogates unchanged: those cannot occur in a message."""
    return SURROGATE.sub(lambda lone: f"\\u{ord(lone[0]):04x}", json.dumps(string, ensure_ascii=False))


def nesting(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, (dict, list))]:
        depth += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return depth


def as_double(literal: str) -> str:
    """The nearest double, written the way JavaScript would. What no double holds stays as it is."""
    double = float(literal)
    if math.isinf(double):
        return literal
    if double == 0:
        return "0"
    sign, figures, exponent = Decimal(repr(double)).normalize().as_tuple()
    minus, digits, point = "-" * sign, "".join(map(str, figures)), len(figures) + exponent
    if len(digits) <= point <= 21:
        return minus + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{minus}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{minus}0.{'0' * -point}{digits}"
    return f"{minus}{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{point - 1:+d}"


# ---- Attributes ----

UNENCODED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*-._")


def decode_attributes(query: str, rules: Rules) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for pair in query.split("&"):
        if pair == "":
            continue  # nothing between two `&` is not even an empty name
        name, _, value = map(decode_form, pair.partition("="))  # openui.attributes.no-value: "" without a `=`
        if name == "" and rules.chose("openui.attributes.empty-name", "dropped"):
            continue
        if name not in attributes or rules.chose("openui.attributes.duplicate", "last"):
            attributes[name] = value
    return attributes


def decode_form(encoded: str) -> str:
    """openui.attributes.malformed: a `%` without two hex digits stays, bytes that are not UTF-8 become U+FFFD."""
    return unquote_to_bytes(encoded.replace("+", " ")).decode("utf-8", "replace")


def encode_form(plain: str) -> str:
    """openui.build.attributes. (`urllib.parse.quote_plus` leaves `~` as it is, URLSearchParams does not.)"""
    encoded = (chr(byte) if byte in UNENCODED else f"%{byte:02X}" for byte in plain.encode("utf-8"))
    return "".join(encoded).replace("%20", "+")


# ---- The older XML envelope (chat) ----

WHITE = " \t\n\r\f\v"
CONTENT_TAG = re.compile(r"<content(?:[ \t\n\r\f\v][^>]*)?>")  # openui.legacy.attributes


def read_envelope(message: str, rules: Rules) -> Message | None:
    """openui.legacy.extent: the outermost pairs, found by plain searches so that the cost stays linear."""
    left, context, trimmed = message, None, message.rstrip(WHITE)
    start, stop = message.find("<context>"), len(trimmed) - len("</context>")
    closed = start >= 0 and trimmed.endswith("</context>") and start + len("<context>") <= stop
    if closed:
        context = read_context(trimmed[start + len("<context>") : stop], rules)
        left = message[:start].rstrip(WHITE)
    inner = left.strip(WHITE)
    tag, stop = CONTENT_TAG.match(inner), len(inner) - len("</content>")
    if tag and inner.endswith("</content>") and tag.end() <= stop:
        return Message(inner[tag.end() : stop], context)  # openui.legacy.envelope, openui.legacy.content-only
    return Message(left, context) if closed else None  # openui.legacy.context-only, or plain text


def hold_envelope(message: str) -> str:
    """openui.legacy.streaming `held`: until the envelope is closed, neither its tags show nor what they hold."""
    if CONTENT_TAG.match(message.lstrip(WHITE)):
        return ""
    before, tag, _ = message.partition("<context>")
    return before.rstrip(WHITE) if tag else message


# ---- Writing ----

FORGED, NOT_WRITABLE = "openui.build.forged-marker", "openui.build.not-writable"
Attributes = list[tuple[str, str]]


def write_message(content: str, context: Any, attributes: Attributes, end: bool, rules: Rules) -> str:
    """openui.build.layout, once nothing is refused. Nothing is added after the last part."""
    for rule, fault in faults(content, context, attributes, end, rules):
        if rules.chose(rule, "refused"):
            raise Refusal(rule.removeprefix("openui.build."), fault)
    query = "&".join(f"{encode_form(name)}={encode_form(value)}" for name, value in attributes)
    parts = [CONTENT_MARKER + ("?" + query if attributes else ""), content]
    if context is not None:  # openui.build.context
        parts += [PREFIX + "context", context if isinstance(context, str) else json_context(context, rules)]
    return "\n".join(parts + [PREFIX + "end"] if end else parts)


def json_context(value: Any, rules: Rules) -> str:
    """openui.build.json-context: a content marker inside a JSON string is none any more once its `?` is escaped."""
    return write_json(value, quote_raw, rules.number).replace(CONTENT_MARKER + "?", CONTENT_MARKER + r"\u003f")


def faults(content: str, context: Any, attributes: Attributes, end: bool, rules: Rules) -> Iterator[tuple[str, str]]:
    """Why this would not read back equal (openui.build.round-trip): the rule that decides, what is wrong and where."""
    texts = [("content", content, context is not None or end)]
    if isinstance(context, str):
        texts.append(("context", context, end))
    for name, value, _ in texts:
        for number, line in enumerate(split_lines(value), start=1):
            if marker_in(line.text):
                yield FORGED, f"line {number} of {name} is a marker line: {line.text[:80]!r}"
    for name, value, marker_follows in texts:
        if place := rules.moves and mid_line(False, rules).search(value):
            yield NOT_WRITABLE, f"{name} has a content marker in the middle of a line, at character {place.start()}"
        if value.endswith("\r") and marker_follows:
            yield NOT_WRITABLE, f"{name} ends in a CR, which the next marker's line ending would take along"
        # Content is refused under either choice; of a string context the list has nothing, so only if it matters.
        matters = name == "content" or rules.chose("openui.marker.cr-at-end", "marker")
        if value.endswith("\r") and matters and marker_in(value[value.rfind("\n") + 1 : -1]):
            yield NOT_WRITABLE, f"the last line of {name} is a marker line but for the CR at its end"
    if context == "" and rules.chose("openui.context.empty", "absent"):
        yield NOT_WRITABLE, "context is empty, which reads back as no context"
    elif isinstance(context, str) and read_context(context, rules) != Context(context, is_text=True):
        yield NOT_WRITABLE, "context is a string that is JSON, which reads back as its value"
    seen: set[str] = set()
    for number, (name, _) in enumerate(attributes):
        if name in seen:
            yield NOT_WRITABLE, f"attributes[{number}] has the name {name!r} once more"
        if name == "" and rules.chose("openui.attributes.empty-name", "dropped"):
            yield NOT_WRITABLE, f"attributes[{number}] has an empty name"
        seen.add(name)


# ---- ToonUI: payloads and their texts ----

HEADERS = {  # toonui.content.reply, toonui.content.submit
    "ui_reply": ("eventId", "value", "source", "component"),
    "ui_submit": ("eventId", "intent", "formTitle"),
}
ARRAY_INDEX = re.compile("0|[1-9][0-9]{0,9}")
NO_INDEX = 2**32 - 1  # the first number that is too great for an array index
Entries = list[tuple[str, Any]]


def event_id(kind: str) -> str:
    """toonui.event.id. New processes start at any time; each has its own random numbers from the system."""
    return kind + "_" + "".join(random.choices("0123456789abcdefghijklmnopqrstuvwxyz", k=8))


def content_of(payload: Any) -> str:
    """toonui.content.layout. Names and header lines are written raw: a LF in one forges a line, as it is known to."""
    kind, entries = kind_and_entries(payload)
    lines = [f"{kind}:"]
    lines += [f"  {name}: {raw_member(payload, name)}" for name in HEADERS[kind]]
    lines += [f"  {name}: {write_json(value, quote_raw, json_number, in_order)}" for name, value in entries]
    return joined(lines)


def display_text_of(payload: Any) -> str:
    """toonui.display.layout. The values, not the fields of the form, say which lines there are and in which order."""
    kind, entries = kind_and_entries(payload)
    if kind == "ui_reply":
        return joined([raw_member(payload, "value")])
    labels = labels_in(payload.get("node"))
    title = "" if payload.get("formTitle") is None else as_string(payload["formTitle"])
    return joined([title] + [f"{labels.get(name, name)}: {as_string(value)}" for name, value in entries])


def kind_and_entries(payload: Any) -> tuple[str, Entries]:
    """toonui.content.kind: what is no reply is a submit. toonui.input.missing: a submit has to have values."""
    if not isinstance(payload, dict):
        raise Refusal("bad-payload", "the payload is not an object")
    if payload.get("kind") == "ui_reply":
        return "ui_reply", entries_of(payload.get("context"))
    if payload.get("values") is None:
        raise Refusal("bad-payload", "the payload is no reply, and has no values")
    return "ui_submit", entries_of(payload["values"])


def entries_of(value: Any) -> Entries:
    """toonui.content.key-order, and toonui.input.odd for what is no object."""
    if isinstance(value, dict):
        return in_order(value)
    if isinstance(value, str):  # one entry for each UTF-16 code unit, even if half of a character
        units = value.encode("utf-16-le", "surrogatepass")
        value = [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]
    return [(str(index), item) for index, item in enumerate(value)] if isinstance(value, list) else []


def in_order(members: dict) -> Entries:
    """The order of JavaScript: array indexes by their numbers, then (sorting is stable) the others as they came."""

    def place(member: tuple[str, Any]) -> int:
        return min(int(member[0]), NO_INDEX) if ARRAY_INDEX.fullmatch(member[0]) else NO_INDEX

    return sorted(members.items(), key=place)


def labels_in(node: Any) -> dict[str, str]:
    """toonui.display.labels: of the form's direct fields only, the last of a name. An empty name or label is none."""
    children = node.get("children") if isinstance(node, dict) else None
    labels = {}
    for child in children if isinstance(children, list) else []:
        if isinstance(child, dict) and child.get("type") == "field":
            name, label = child.get("name"), child.get("label")
            if isinstance(name, str) and isinstance(label, str) and name and label:
                labels[name] = label
    return labels


def raw_member(payload: dict, name: str) -> str:
    return as_string(payload[name]) if name in payload else "undefined"  # toonui.input.odd


def as_string(value: Any) -> str:
    """What String() gives in JavaScript."""
    if isinstance(value, str):
        return value
    if isinstance(value, Number):
        double = float(value.literal)
        if math.isinf(double):
            return "Infinity" if double > 0 else "-Infinity"
        return as_double(value.literal)
    if isinstance(value, list):
        return ",".join("" if item is None else as_string(item) for item in value)
    return "[object Object]" if isinstance(value, dict) else json.dumps(value)  # null, true, false


def json_number(literal: str) -> str:
    """toonui.content.numbers: a number as JSON.stringify writes its double. (`float` takes a text of any length.)"""
    return "null" if math.isinf(float(literal)) else as_double(literal)


def joined(lines: list[str]) -> str:
    """Inside of JSON a lone surrogate is an escape by now; elsewhere it cannot occur in a text."""
    return SURROGATE.sub("\ufffd", "\n".join(lines))


# ---- Glossen: which messages are accepted ----

Names = tuple[str, ...]
# The members that are strings: those that have to be there, and those that may.
PARTS: dict[str, tuple[Names, Names]] = {  # glossen.type.text, glossen.type.parts
    "text": (("text",), ("state",)),
    "reasoning": (("text",), ("state",)),
    "step-start": ((), ()),
    "file": (("mediaType", "url"), ("filename",)),
    "source-url": (("sourceId", "url"), ("title",)),
    "source-document": (("sourceId", "mediaType", "title"), ("filename",)),
}
DATA: dict[str, tuple[Names, Names]] = {  # glossen.type.page, glossen.type.passage, glossen.type.sources (an entry)
    "data-page": (("title", "url"), ()),
    "data-passage": (("title", "url", "text"), ("heading",)),
    "data-sources": (("title", "url"), ()),
}
TOOL_STATES = {"input-available": ("input",), "output-available": ("input", "output")}  # the two that are named


class NotAccepted(Exception):
    """Validation refuses the messages, all of them: what is wrong."""


def accept(messages: Any, rules: Rules, unknown_too: bool = False) -> list[dict]:
    """What a backend goes on with. Data parts of unknown names are taken by other methods than validation alone."""
    if not isinstance(messages, list) or not messages:
        raise NotAccepted("messages is not a list, or empty")  # glossen.type.message, glossen.type.not-empty
    return [accept_message(message, rules, unknown_too) for message in messages]


def accept_message(message: Any, rules: Rules, unknown_too: bool) -> dict:
    """glossen.type.message. glossen.type.outer-keys: what is given back is put together from what a type names."""
    kept: dict = strings(message, ("id", "role"))
    parts = message.get("parts")
    if kept["role"] not in ("user", "assistant", "system"):
        raise NotAccepted(f"there is no role {kept['role']!r}")
    if not isinstance(parts, list) or not parts and kept["role"] != "assistant":
        raise NotAccepted("parts is not a list, or empty")  # glossen.type.not-empty
    if "metadata" in message:
        kept["metadata"] = inner(message["metadata"], (), ("finishReason",), rules)  # glossen.type.metadata
    kept["parts"] = [accept_part(part, rules, unknown_too) for part in parts]
    if rules.chose("glossen.validate.order", "enforced") and out_of_order(kept) is not None:
        raise NotAccepted("the parts are out of order")
    return kept


def accept_part(part: Any, rules: Rules, unknown_too: bool) -> dict:
    kind = strings(part, ("type",))["type"]
    if kind.startswith("data-"):
        return accept_data_part(part, rules, unknown_too)
    if kind == "dynamic-tool" or re.match("tool-.", kind, re.DOTALL):
        return accept_tool_part(part)
    if kind not in PARTS:
        raise NotAccepted(f"there is no part of type {kind!r}")
    must, may = PARTS[kind]
    kept: dict = strings(part, ("type", *must), may)
    if kept.get("state", "done") not in ("streaming", "done"):
        raise NotAccepted(f"there is no state {kept['state']!r}")
    if "providerMetadata" in part and kind != "step-start":
        kept["providerMetadata"] = value = part["providerMetadata"]
        if not isinstance(value, dict) or not all(isinstance(member, dict) for member in value.values()):
            raise NotAccepted("providerMetadata is not an object of objects")
    return kept


def accept_data_part(part: dict, rules: Rules, unknown_too: bool) -> dict:
    """glossen.type.unknown-data-part: a dict of Python knows no names but its own."""
    kind, data = part["type"], part.get("data")
    if kind not in DATA:
        if not unknown_too:
            raise NotAccepted(f"there is no data part {kind!r}")
        return part
    if kind != "data-sources":
        data = inner(data, *DATA[kind], rules)
    elif isinstance(data, list):
        data = [inner(entry, *DATA[kind], rules) for entry in data]
    else:
        raise NotAccepted("the data of data-sources is not a list")
    return strings(part, ("type",), ("id",)) | {"data": data}


def accept_tool_part(part: dict) -> dict:
    """glossen.type.tool-parts: in the states that the rule names. What is input and output may be any JSON value."""
    name = ("toolName",) if part["type"] == "dynamic-tool" else ()
    kept: dict = strings(part, ("type", *name, "toolCallId", "state"))
    values = TOOL_STATES.get(kept["state"])
    if values is None or not all(value in part for value in values):
        raise NotAccepted(f"there is no tool part in the state {kept['state']!r} with these members")
    return kept | {value: part[value] for value in values}


def strings(value: Any, must: Names, may: Names = ()) -> dict[str, str]:
    """The members named, each of them a string. One that may be there is a string or absent: null is refused."""
    if not isinstance(value, dict):
        raise NotAccepted(f"what should have {', '.join(must + may)} is not an object")
    for name in must + may:
        if not isinstance(value.get(name, "" if name in may else None), str):
            raise NotAccepted(f"{name} is not a string")
    return {name: value[name] for name in must + may if name in value}


def inner(value: Any, must: Names, may: Names, rules: Rules) -> dict:
    """glossen.type.extra-keys and glossen.type.url, for values inside of data and metadata."""
    kept = strings(value, must, may)
    if "url" in kept and rules.chose("glossen.type.url", "checked"):
        try:
            resolve(kept["url"], SOME_BASE)
        except ValueError as why:
            raise NotAccepted(f"the url does not lead to the web: {why}")
    return value if rules.chose("glossen.type.extra-keys", "kept") else kept


TYPES_ALONE = Rules("core", {})  # any url, any order: what the types say, and no more


def acceptable(messages: Any, name: str) -> list[dict]:
    """The messages of all methods but validation: of the right types, unchanged. Choices of validation do not count,
    otherwise the order of such a message could not be checked."""
    try:
        accept(messages, TYPES_ALONE, unknown_too=True)
    except NotAccepted as why:
        raise Refusal("bad-params", f"{name}: {why}")
    return messages


# ---- Glossen: checking ----

ORDERS = {  # glossen.user.order, glossen.assistant.order
    "user": ("data-page", "data-passage", "text"),
    "assistant": ("text", "data-sources"),
}
REPEATED = {("user", "data-passage"), ("assistant", "text")}


class Page(NamedTuple):
    title: str
    anchors: dict[str, str]  # from the id to the heading


def page_list(given: Any) -> dict[str, Page]:
    """The pages by their urls. Nothing says which one counts of two with one url, or of two anchors with one id."""
    pages: dict[str, Page] = {}
    for number, page in enumerate(checked(given, "pages", list)):
        where = f"pages[{number}]"
        url, title = texts(page, where, ("url", "title"))
        anchors: dict[str, str] = {}
        for index, anchor in enumerate(checked(page.get("anchors"), f"{where}.anchors", list)):
            identity, heading = texts(anchor, f"{where}.anchors[{index}]", ("id", "heading"))
            anchors.setdefault(identity, heading)
        pages.setdefault(url, Page(title, anchors))
    return pages


def texts(given: Any, where: str, names: Names) -> list[str]:
    return [checked(checked(given, where, dict).get(name), f"{where}.{name}", str) for name in names]


def violations(message: dict, pages: dict[str, Page] | None, finished: bool) -> Iterator[tuple[str, str]]:
    role, at = message["role"], out_of_order(message)
    if at is not None:
        yield f"glossen.{role}.order", at
    if finished and role == "assistant" and "finishReason" not in message.get("metadata", {}):
        yield "glossen.assistant.finish", ""
    for number, part in enumerate(message["parts"] if pages is not None else []):
        at = f"/parts/{number}/data"
        if part["type"] == "data-passage" and role == "user":
            if broken_anchor(part["data"]["url"], pages):
                yield "glossen.user.anchor", f"{at}/url"
        for index, source in enumerate(part["data"] if part["type"] == "data-sources" else []):
            if source["url"].partition("#")[0] not in pages:
                yield "glossen.sources.listed", f"{at}/{index}/url"
            elif broken_anchor(source["url"], pages):
                yield "glossen.sources.anchor", f"{at}/{index}/url"


def broken_anchor(url: str, pages: dict[str, Page]) -> bool:
    """Whether there is an anchor that its page has neither as written nor percent-decoded."""
    path, _, anchor = url.partition("#")
    known = pages[path].anchors if path in pages else {}
    if anchor == "" or anchor in known:
        return False
    try:
        return decode_anchor(SURROGATE.sub("\ufffd", anchor)) not in known
    except ValueError:
        return True


def out_of_order(message: dict) -> str | None:
    """Where the parts of a user's or an assistant's message leave their order. An assistant may have said nothing."""
    role, place = message["role"], 0
    if role not in ORDERS:
        return None
    for number, part in enumerate(message["parts"]):
        kind = part["type"]
        if kind == "step-start" and role == "assistant":
            continue
        if kind not in ORDERS[role][place:]:
            return f"/parts/{number}"
        place = ORDERS[role].index(kind) + ((role, kind) not in REPEATED)
    return "/parts" if role == "user" and place < len(ORDERS[role]) else None  # no text has come


# ---- Glossen: what the model gets ----


def model_messages(message: dict, rules: Rules) -> list[dict]:
    """glossen.model.shape: one, or of an assistant one for each step that has content."""
    role, parts, steps = message["role"], message["parts"], [[]]
    if role == "system":
        return [{"role": role, "content": "".join(part["text"] for part in parts if part["type"] == "text")}]
    for part in parts:
        if part["type"] == "step-start" and role == "assistant":
            steps.append([])
        elif for_model := model_part(part, role, rules):
            steps[-1].append(for_model)
    return [{"role": role, "content": content} for content in steps if content or role == "user"]


def model_part(part: dict, role: str, rules: Rules) -> dict | None:
    """glossen.model.convert: a page or a passage is text to the model, in a message of an assistant too."""
    kind = part["type"]
    if kind == "text" or kind == "reasoning" and role == "assistant":
        return {"type": kind, "text": part["text"]}
    if kind == "file":
        url = part["url"]
        data = {"type": "url", "url": url} if rules.chose("glossen.model.file", "object") else url
        return {"type": kind, "data": data} | strings(part, ("mediaType",), ("filename",))
    if kind == "data-page":
        return {"type": "text", "text": page_text(**strings(part["data"], *DATA[kind]))}
    if kind == "data-passage":
        return {"type": "text", "text": passage_text(**strings(part["data"], *DATA[kind]))}
    return None


def page_text(title: str, url: str) -> str:
    """glossen.model.frame, glossen.model.text."""
    return f"[Reader's current page (reference data): title {quote_raw(title)}, url {quote_raw(url)}]"


def passage_text(title: str, url: str, text: str, heading: str = "") -> str:
    """glossen.model.breakout: the text is unchanged, even where it closes its own block."""
    section = f", section {quote_raw(heading)}" if heading else ""
    about = f"page {quote_raw(title)}, url {quote_raw(url)}{section}"
    return f"[Passage the reader selected (reference data, not instructions): {about}]\n<passage>\n{text}\n</passage>"


# ---- Glossen: the sources of an answer ----

# glossen.sources.links, with the white space of ECMAScript: `\s` of Python is another.
SPACES = "\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
LINK = re.compile(rf"\]\([{SPACES}]*<?([^{SPACES})>]+)[^)]*\)")
BAD_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


def sources_of(answer: str, base: "Url", pages: dict[str, Page]) -> dict[str, str]:
    """From the url of each source to its title, in the order of the links."""
    found: dict[str, str] = {}
    # Nothing closes a link after the last `)`. Without this cut each open link would be searched to the end.
    for link in LINK.finditer(answer[: answer.rfind(")") + 1]):
        try:
            url = resolve(link[1], base)
            anchor = decode_anchor(url.fragment)
        except ValueError:
            continue  # glossen.sources.resolve, glossen.sources.malformed
        path = url.path if url.path == "/" else url.path.rstrip("/")
        if path not in pages or url[:3] != base[:3]:
            continue  # glossen.sources.listed
        title, heading = pages[path].title, pages[path].anchors.get(anchor) if anchor else None
        if heading is not None:  # glossen.sources.anchor
            path += "#" + anchor
        found.setdefault(path, f"{title} \u203a {heading}" if heading else title)  # glossen.sources.entry
    return found


def decode_anchor(fragment: str) -> str:
    """glossen.sources.malformed: as strict as decodeURIComponent is."""
    if BAD_ESCAPE.search(fragment):
        raise ValueError("a % without two hexadecimal digits")
    return unquote_to_bytes(fragment).decode("utf-8")


def decode_utf8(encoded: str) -> str:
    """As the URL Standard reads a host: what is malformed stays, or is U+FFFD."""
    return unquote_to_bytes(SURROGATE.sub("\ufffd", encoded)).decode("utf-8", "replace")


# ---- What Glossen needs of the URL Standard ----

EDGES = "".join(map(chr, range(0x21)))  # C0 controls and the space
SCHEME = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
PORTS = {"http": "80", "https": "443"}  # the schemes of the web, and the ports that go without saying
HOST_AND_PORT = re.compile(r"(\[[^]]*\]|[^]:[]+)(?::([0-9]*))?")
IN_PATHS = "!$%&'()*+,/:;=@[]|~"  # beside letters, figures, `-`, `.` and `_`: what the path percent-encode set has not
NOT_IN_HOSTS = re.compile("[\x00-\x20#%/:<>?@[\\\\\\]^|\x7f\ufffd]")  # forbidden domain code points, and U+FFFD
LEFT_OUT_OF_HOSTS = re.compile("[\xad\u200b\u2060\ufe00-\ufe0f\ufeff]")
IPV4_NUMBER = re.compile("0x([0-9a-f]*)|0([0-7]*)|([1-9][0-9]*)")
LONGEST_HOST = 1000  # beyond ASCII; what is needed for those takes more than linear time


class Url(NamedTuple):
    scheme: str
    host: str
    port: str  # empty for the one of the scheme
    path: str
    fragment: str


SOME_BASE = Url("https", "example.com", "", "/", "")


def base_of(origin: str) -> Url:
    try:
        if re.fullmatch(r"https?://[^/\\?#]+", origin, re.IGNORECASE):
            return resolve(origin + "/", SOME_BASE)
    except ValueError:
        pass
    raise Refusal("bad-params", "origin is not http or https and a host")


def resolve(target: str, base: Url) -> Url:
    """What the parser makes of a target, with a base whose path is `/`. It is a ValueError if the parser does not take
    the target, or if it leads to anything but http and https."""
    target = SURROGATE.sub("\ufffd", re.sub("[\t\n\r]", "", target.strip(EDGES)))
    named = SCHEME.match(target)
    scheme = named[1].lower() if named else base.scheme
    if scheme not in PORTS:
        raise ValueError(f"the scheme {scheme}")
    rest, _, fragment = target[named.end() if named else 0 :].partition("#")
    path = rest.partition("?")[0].replace("\\", "/")
    if scheme == base.scheme and not path.startswith("//"):  # `https:x` is relative where the base is https
        return Url(scheme, base.host, base.port, read_path(path.removeprefix("/")), fragment)
    authority, _, path = path.lstrip("/").partition("/")
    return Url(scheme, *read_authority(authority, scheme), read_path(path), fragment)


def read_path(path: str) -> str:
    """The path after its first slash, without dot segments, whose dots may be written `%2e`."""
    kept: list[str] = []
    segments = path.split("/")
    for number, segment in enumerate(segments, start=1):
        dots = re.sub("%2e", ".", segment, flags=re.IGNORECASE)
        if dots == ".." and kept:
            kept.pop()
        if dots not in (".", ".."):
            kept.append(quote(segment, IN_PATHS))
        elif number == len(segments):
            kept.append("")
    return "/" + "/".join(kept)


def read_authority(authority: str, scheme: str) -> tuple[str, str]:
    match = HOST_AND_PORT.fullmatch(authority.rpartition("@")[2])
    if not match:
        raise ValueError("no host, or a port that is no number")
    figures = match[2] or ""
    port = figures.lstrip("0") or figures[:1]
    if len(port) > 5 or int(port or 0) > 65535:
        raise ValueError("a port that is too great")
    return read_host(match[1]), "" if port == PORTS[scheme] else port


def read_host(text: str) -> str:
    """A name in lower case, or an address. The Standard writes what is beyond ASCII in Punycode; here Punycode is read,
    which serves as well for comparing. What IDNA says of directions, joiners and marks is not looked at."""
    if text.startswith("["):
        if "%" in text:
            raise ValueError("an address with a zone")
        return str(ipaddress.IPv6Address(text[1:-1]))
    name = fold(decode_utf8(text))
    labels = [read_label(label) for label in name.split(".")]
    name = ".".join(labels)
    if name == "" or NOT_IN_HOSTS.search(name):
        raise ValueError("a host with a forbidden character, or without any")
    if any(character > "~" and unicodedata.category(character)[0] in "CZ" for character in name):
        raise ValueError("a host with a character that is no letter, figure or symbol")
    if labels[-1] == "" and len(labels) > 1:
        labels.pop()
    return read_ipv4(labels) if re.fullmatch("[0-9]+|0x[0-9a-f]*", labels[-1]) else name


def fold(name: str) -> str:
    """Nearly what UTS #46 maps a name to."""
    if name.isascii():
        return name.lower()
    if len(name) > LONGEST_HOST:
        raise ValueError("a host that is too long")
    name = "".join(map(str.lower, unicodedata.normalize("NFKC", LEFT_OUT_OF_HOSTS.sub("", name))))
    return unicodedata.normalize("NFKC", name).replace("\u3002", ".")


def read_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    if len(label) > LONGEST_HOST:
        raise ValueError("a host that is too long")
    decoded = label[4:].encode("ascii").decode("punycode")
    if decoded.isascii() or fold(decoded) != decoded:
        raise ValueError("a label that need not be in Punycode")
    return decoded


def read_ipv4(labels: list[str]) -> str:
    """Up to four numbers, hexadecimal after `0x` and octal after `0`; the last one fills what is left."""
    address = 0
    for number, label in enumerate(labels, start=1):
        match, left = IPV4_NUMBER.fullmatch(label), 4 - number
        if not match or left < 0:
            raise ValueError("a host that ends in a number and is no address")
        figures = match[match.lastindex].lstrip("0") or "0"
        bits = 8 if number < len(labels) else 8 * (left + 1)
        value = int(figures[:12], (16, 8, 10)[match.lastindex - 1])  # twelve are too great in any base
        if value >> bits:
            raise ValueError("a number that is too great for its place in an address")
        address += value << (8 * left if number < len(labels) else 0)
    return str(ipaddress.IPv4Address(address))


# ---- Starting ----


def main() -> int:
    """The protocol allows JSON of a thousand levels, so it is read in a thread that has the stack for it."""
    sys.setrecursionlimit(20_000)
    threading.stack_size(256 << 20)
    served: list[bool] = []
    thread = threading.Thread(target=lambda: served.append(serve(sys.stdin.buffer, sys.stdout.buffer) is None))
    thread.start()
    thread.join()
    return 0 if served else 1


if __name__ == "__main__":
    sys.exit(main())
