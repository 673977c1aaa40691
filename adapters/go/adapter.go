// OpenUI stored messages, ToonUI events and Glossen messages in one file: a starter for an adapter of your own.
//
//	genui-conform run -- go run adapter.go
//	genui-conform run --profile chat --choice openui.legacy.streaming=held -- go run adapter.go
//
// It needs Go 1.19 and nothing else. To test a reader of your own, keep the protocol loop and the JSON at the end, let
// the functions in the table of methods call your code, and drop from the table what your code does not support.
//
// A complete implementation follows the loop. It keeps the written rules one by one, and its comments name the
// rule they keep; `genui-conform rules` prints them all.
package main

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/netip"
	"os"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// ---- The protocol: JSON-RPC 2.0, one object a line on standard input, one answer a line on standard output ----

const (
	maxLevels = 1000     // how deep the JSON in a line may nest
	maxLine   = 16 << 20 // how long a line of an answer may be, its LF included
)

// refusal is an answer with code 1: the kind is one that a case can expect, the message says what is wrong.
type refusal struct{ kind, message string }

func (r *refusal) Error() string { return r.message }

func main() {
	// Standard output is for answers alone. What anything else prints goes to standard error.
	answers := bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr
	if err := serve(os.Stdin, answers); err != nil {
		log.Fatal(err)
	}
}

func serve(requests io.Reader, answers *bufio.Writer) error {
	adapter := adapter{rules: newRules("core", nil)}
	lines := bufio.NewReaderSize(&flushing{requests, answers}, 1<<16)
	for {
		line, err := lines.ReadBytes('\n') // the last line may lack its LF
		if err != nil && err != io.EOF {
			return err
		}
		if len(line) > 0 {
			if answer := adapter.answer(line); answer != nil {
				answers.Write(append(answer, '\n')) // an error stays with the writer, and Flush gives it
			}
		}
		if err == io.EOF {
			return answers.Flush()
		}
	}
}

// flushing writes out the answers just before it waits for more requests: neither sooner, which costs, nor later.
type flushing struct {
	requests io.Reader
	answers  *bufio.Writer
}

func (f *flushing) Read(buffer []byte) (int, error) {
	if err := f.answers.Flush(); err != nil {
		return 0, err
	}
	return f.requests.Read(buffer)
}

// adapter is what lasts from one request to the next: only the rules in force.
type adapter struct{ rules *rules }

// answer gives the line that answers a line, or nil if there is nothing to say.
func (a *adapter) answer(line []byte) []byte {
	if !utf8.Valid(line) {
		return failure(nil, -32700, "the line is not UTF-8", nil)
	}
	value, err := readJSON(string(line), maxLevels)
	if errors.Is(err, errTooDeep) {
		return failure(nil, -32600, "the request is nested too deeply", nil)
	} else if err != nil {
		return failure(nil, -32700, "the line is not JSON: "+err.Error(), nil)
	}
	request, _ := value.(*object)
	id, hasID := request.get("id")
	switch id.(type) {
	case nil, number, string:
	default:
		request = nil
	}
	if request == nil {
		return failure(nil, -32600, "a request is an object, and its id a string, a number or null", nil)
	}
	version, _ := request.get("jsonrpc")
	name, _ := request.get("method")
	method, isString := name.(string)
	if version != "2.0" || !isString {
		return failure(id, -32600, `a request has "jsonrpc": "2.0" and the name of a method`, nil)
	}
	if !hasID {
		return nil // a notification is never answered
	}
	result, err := a.call(method, request)
	var refused *refusal
	switch {
	case err == nil:
	case errors.Is(err, errNoMethod):
		return failure(id, -32601, "no method "+method, nil)
	case errors.As(err, &refused):
		return failure(id, 1, refused.message, newObject("kind", refused.kind))
	default:
		return failure(id, -32603, err.Error(), nil)
	}
	answer := newObject("jsonrpc", "2.0", "id", id, "result", result)
	// To send an answer that no line can carry would cost more than this one case. It is a fault, and no refusal.
	if levels(answer) > maxLevels {
		return failure(id, -32603, "the answer is nested too deeply", nil)
	}
	text := appendJSON(nil, answer)
	if len(text) >= maxLine {
		return failure(id, -32603, "the answer is too long for a line", nil)
	}
	return text
}

func failure(id any, code int, message string, data *object) []byte {
	fault := newObject("code", number(strconv.Itoa(code)), "message", message)
	if data != nil {
		fault.set("data", data)
	}
	return appendJSON(nil, newObject("jsonrpc", "2.0", "id", id, "error", fault))
}

var errNoMethod = errors.New("no such method")

func (a *adapter) call(name string, request *object) (result any, err error) {
	// A fault here must not affect later requests.
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	members, isGiven := request.get("params")
	if !isGiven {
		members = newObject()
	}
	if name == "initialize" {
		p := newParams(name, members, "protocol", "suite", "profile", "choices")
		result = a.initialize(p)
		return result, p.err
	}
	for _, method := range methods {
		if method.name == name {
			p := newParams(name, members, method.params...)
			if p.err == nil {
				result, err = method.call(p, a.rules)
			}
			if p.err != nil {
				return nil, p.err
			}
			return result, err
		}
	}
	return nil, errNoMethod
}

func (a *adapter) initialize(p *params) any {
	profile, _ := p.value("profile").(string)
	choices, _ := p.value("choices").(*object)
	a.rules = newRules(profile, choices)
	names := []any{}
	for _, method := range methods {
		names = append(names, method.name)
	}
	chosen := newObject()
	for _, point := range openPoints {
		chosen.set(point.rule, a.rules.choices[point.rule])
	}
	return newObject(
		"protocol", number("1"),
		"implementation", newObject("name", "genui-conform-go-starter", "version", "0.1.0", "language", "Go"),
		"methods", names,
		"profiles", []any{"core", "chat", "line-start"},
		"choices", chosen,
	)
}

// methods has the supported methods: each name with its possible params.
var methods = []struct {
	name   string
	params []string
	call   func(*params, *rules) (any, error)
}{
	{"openui.parse", []string{"raw", "streaming"}, openuiParse},
	{"openui.stream", []string{"chunks"}, openuiStream},
	{"openui.build", []string{"content", "context", "attributes", "end"}, openuiBuild},
	{"openui.model_text", []string{"raw", "role"}, openuiModelText},
	{"openui.from_event", []string{"message", "form_state", "context"}, openuiFromEvent},
	{"toonui.reply", []string{"value", "context"}, toonuiReply},
	{"toonui.submit", []string{"intent", "values"}, toonuiSubmit},
	{"toonui.to_content", []string{"payload"}, toonuiToContent},
	{"toonui.to_display_content", []string{"payload"}, toonuiToDisplayContent},
	{"toonui.to_model_message", []string{"payload"}, toonuiToModelMessage},
	{"toonui.to_ui_message", []string{"payload"}, toonuiToUIMessage},
	{"glossen.validate", []string{"messages"}, glossenValidate},
	{"glossen.check", []string{"message", "pages", "finished"}, glossenCheck},
	{"glossen.to_model_messages", []string{"messages"}, glossenToModelMessages},
	{"glossen.sources", []string{"answer", "origin", "pages"}, glossenSources},
	{"glossen.edit", []string{"messages", "edited"}, glossenEdit},
}

// ---- Params ----

// params are those of one request. What does not fit is kept in err, and zero values are given in its place: a
// method may go on with them, since its result is not looked at then.
type params struct {
	members *object
	err     error
}

func newParams(method string, members any, known ...string) *params {
	given, isObject := members.(*object)
	p := &params{members: given}
	if !isObject {
		p.refuse("params is not an object")
		return p
	}
next:
	for _, name := range given.names {
		for _, other := range known {
			if name == other {
				continue next
			}
		}
		p.refuse("%s has no parameter %q", method, name)
	}
	return p
}

func (p *params) refuse(format string, arguments ...any) {
	if p.err == nil {
		p.err = &refusal{"bad-params", fmt.Sprintf(format, arguments...)}
	}
}

// value gives a member, and nil for one that is null as for one that is absent.
func (p *params) value(name string) any {
	value, _ := p.members.get(name)
	return value
}

func (p *params) text(name string) string {
	text, isString := p.value(name).(string)
	if !isString || !utf8.ValidString(text) {
		p.refuse("%s is not a string of Unicode scalar values", name)
		return ""
	}
	return text
}

func (p *params) flag(name string) bool {
	flag, isFlag := p.value(name).(bool)
	if !isFlag && p.value(name) != nil {
		p.refuse("%s is neither true nor false", name)
	}
	return flag
}

func (p *params) list(name string) []any {
	list, isList := p.value(name).([]any)
	if !isList {
		p.refuse("%s is not a list", name)
	}
	return list
}

// ---- Rules: the profile and the choices that are in force ----

type openPoint struct {
	rule    string
	choices []string
}

// openPoints are the rules of level `open`, each with its choices, the default first.
var openPoints = []openPoint{
	{"openui.marker.cr-at-end", []string{"marker", "text"}},
	{"openui.marker.mid-line-cr-at-end", []string{"text", "marker"}},
	{"openui.read.several-contexts", []string{"last", "first"}},
	{"openui.read.stale-end", []string{"counts", "ignored"}},
	{"openui.context.empty", []string{"empty-string", "absent"}},
	{"openui.context.numbers", []string{"exact", "double", "exact-integers", "64-bit-integers"}},
	{"openui.attributes.duplicate", []string{"last", "first"}},
	{"openui.attributes.empty-name", []string{"dropped", "kept"}},
	{"openui.stream.hold-impossible", []string{"held", "shown"}},
	{"openui.stream.mid-line-partial", []string{"shown", "held"}},
	{"openui.build.forged-marker", []string{"refused", "written"}},
	{"openui.build.not-writable", []string{"refused", "written"}},
	{"openui.model.text-context", []string{"text", "json-string"}},
	{"openui.event.empty-message", []string{"content-line", "no-content-line"}},
	{"openui.legacy.streaming", []string{"raw", "held"}},
	{"glossen.type.extra-keys", []string{"stripped", "kept"}},
	{"glossen.type.url", []string{"any-string", "checked"}},
	{"glossen.validate.order", []string{"not-enforced", "enforced"}},
	{"glossen.model.file", []string{"string", "object"}},
	{"glossen.edit.stray-key", []string{"dropped", "kept"}},
}

type rules struct {
	legacy  bool // whether older envelopes are read, as in the profile chat
	midLine bool // whether content markers in the middle of a line are moved, as in core and chat
	choices map[string]string
}

// newRules follows a request as far as it can: an unknown profile or choice leaves the default.
func newRules(profile string, wish *object) *rules {
	r := &rules{legacy: profile == "chat", midLine: profile != "line-start", choices: map[string]string{}}
	for _, point := range openPoints {
		r.choices[point.rule] = point.choices[0]
		wished, _ := wish.get(point.rule)
		for _, choice := range point.choices {
			if wished == choice {
				r.choices[point.rule] = choice
			}
		}
	}
	return r
}

func (r *rules) chose(rule, choice string) bool { return r.choices[rule] == choice }

// ---- OpenUI: markers ----

// Every character that means something is ASCII, so messages are looked at byte by byte: in UTF-8 no other character
// has such a byte in it.

const (
	prefix        = "]]>openui:"
	contentMarker = prefix + "content"
)

type marker struct{ kind, attributes string }

// markerLine says whether a line, given with its LF if it has one, is a marker line (openui.marker.grammar). After a
// kind, a CR at the end of the message is a line ending only if crAtEnd says so.
func markerLine(line string, crAtEnd bool) (marker, bool) {
	if !strings.HasPrefix(line, prefix) {
		return marker{}, false
	}
	rest := line[len(prefix):]
	letters := 0
	for letters < len(rest) && 'a' <= rest[letters] && rest[letters] <= 'z' {
		letters++
	}
	found := marker{kind: rest[:letters]}
	rest = rest[letters:]
	switch {
	case letters == 0:
		return marker{}, false
	case rest == "", rest == "\n", rest == "\r\n":
		return found, true
	case rest == "\r":
		return found, crAtEnd
	case rest[0] == '?':
		found.attributes = withoutLineEnding(rest[1:]) // a CR without its LF is one of the attributes
		return found, true
	}
	return marker{}, false
}

// withoutLineEnding takes one LF or CRLF off the end, if there is one.
func withoutLineEnding(text string) string {
	if !strings.HasSuffix(text, "\n") {
		return text
	}
	return strings.TrimSuffix(text[:len(text)-1], "\r")
}

// moved gives the places of the content markers in the middle of a line, each of which gets a line of its own
// (openui.marker.mid-line-content). While streaming, only those count whose `?` or line ending has come.
func (r *rules) moved(message string, streaming bool) []int {
	var places []int
	for at := 0; r.midLine; {
		found := strings.Index(message[at:], contentMarker)
		if found < 0 {
			break
		}
		place := at + found
		at = place + len(contentMarker)
		if place == 0 || message[place-1] == '\n' {
			continue
		}
		switch rest := message[at:]; {
		case strings.HasPrefix(rest, "?"), strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, "\r\n"):
			places = append(places, place)
		case rest == "" && !streaming:
			places = append(places, place)
		case rest == "\r" && !streaming && r.chose("openui.marker.mid-line-cr-at-end", "marker"):
			places = append(places, place)
		}
	}
	return places
}

func insertLineFeeds(message string, places []int) string {
	if len(places) == 0 {
		return message
	}
	var text strings.Builder
	at := 0
	for _, place := range places {
		text.WriteString(message[at:place])
		text.WriteByte('\n')
		at = place
	}
	text.WriteString(message[at:])
	return text.String()
}

// ---- OpenUI: reading ----

// reading is what comes out of a message. context is nil where there is none.
type reading struct {
	content    string
	context    *context
	attributes *object
	end        bool
}

// section is a marker line and its body, in the pieces that end lines cut it into.
type section struct {
	marker
	pieces []string
	ended  bool // whether an end line follows the marker line of this section or of a later one
}

// body joins the pieces with one LF (openui.read.text-after-end).
func (s *section) body() string { return strings.Join(s.pieces, "\n") }

func (r *rules) read(message string, streaming bool) reading {
	places := r.moved(message, streaming)
	text := insertLineFeeds(message, places)
	lastLine := text[strings.LastIndexByte(text, '\n')+1:]
	// A last line that was moved in spite of the CR at its end is a marker line whatever is chosen for one that starts its
	// line anyway (openui.marker.mid-line-cr-at-end).
	isMoved := len(places) > 0 && places[len(places)-1] == len(message)-len(lastLine)
	crAtEnd := isMoved || r.chose("openui.marker.cr-at-end", "marker")

	shown, held := len(lastLine), false
	if streaming {
		shown, held = r.hold(lastLine)
	}
	if r.legacy && !held && !strings.Contains(message, prefix) { // openui.legacy.prefix-first
		// The envelope is looked for in all that came; what shows ends before a piece of a marker that is held back
		// (openui.stream.mid-line-partial).
		if found, isEnvelope := r.readEnvelope(message, streaming); isEnvelope {
			if limit := len(message) - (len(lastLine) - shown); len(found.content) > limit {
				found.content = found.content[:limit]
			}
			return found
		}
	}

	text = text[:len(text)-len(lastLine)+shown]
	sections := []section{{}} // the first one is the leading text
	begin := 0                // where the piece begins that is being read
	endPiece := func(at int, isCut, hasLines bool) {
		if hasLines {
			piece := text[begin:at]
			if isCut { // openui.section.line-ending-before-marker, openui.section.end-of-message
				piece = withoutLineEnding(piece)
			}
			last := &sections[len(sections)-1]
			last.pieces = append(last.pieces, piece)
		}
	}
	for at := 0; at < len(text); {
		line := text[at:]
		if lf := strings.IndexByte(line, '\n'); lf >= 0 {
			line = line[:lf+1]
		} else if streaming {
			break // what shows of a last line is text: were it more, it would be held
		}
		if found, isMarker := markerLine(line, crAtEnd); isMarker {
			endPiece(at, true, at > begin)
			begin = at + len(line)
			if found.kind == "end" {
				sections[len(sections)-1].ended = true
			} else {
				sections = append(sections, section{marker: found})
			}
		}
		at += len(line)
	}
	// A last line of which nothing is shown, but that is not held, is still a line.
	isLine := streaming && !held && lastLine != ""
	endPiece(len(text), held, len(text) > begin || isLine)
	return r.pick(sections)
}

// pick finds the winning content and what counts beside it.
func (r *rules) pick(sections []section) reading {
	// Without a content marker the leading text wins, and everything else is after it (openui.read.leading-text).
	winner := 0
	for i, section := range sections {
		if section.kind == "content" {
			winner = i // openui.read.last-content-wins
		}
	}
	result := reading{content: sections[winner].body(), attributes: newObject()}
	if winner > 0 {
		result.attributes = r.readAttributes(sections[winner].attributes) // openui.attributes.winner
	}
	found := false
	for i, section := range sections {
		if section.ended && (i >= winner || r.chose("openui.read.stale-end", "counts")) {
			result.end = true
		}
		// openui.read.context-before-content, openui.read.several-contexts
		if section.kind == "context" && i > winner && (!found || r.chose("openui.read.several-contexts", "last")) {
			found = true
			result.context = r.readContext(section.body())
		}
	}
	return result
}

// hold says how many bytes of the last line, which has no LF, show while streaming; or that all of it is held back, as
// a marker line would be, and the line ending before it with it.
func (r *rules) hold(line string) (shown int, held bool) {
	if line == "" {
		return 0, false
	}
	if strings.HasPrefix(prefix, line) { // openui.stream.hold-prefix
		return 0, true
	}
	if strings.HasPrefix(line, prefix) {
		if _, mayBe := markerLine(line, true); mayBe { // openui.stream.hold-marker
			return 0, true
		}
		if !r.midLine || r.chose("openui.stream.hold-impossible", "held") {
			return 0, true
		}
	}
	if !r.midLine {
		return len(line), false
	}
	// A content marker that lacks its `?` or line ending (openui.stream.mid-line-complete).
	if before := strings.TrimSuffix(line, "\r"); strings.HasSuffix(before, contentMarker) {
		before = strings.TrimSuffix(before, contentMarker)
		if _, wouldBe := markerLine(before, true); wouldBe {
			return 0, true
		}
		return len(strings.TrimSuffix(before, "\r")), false
	}
	// The first characters of one (openui.stream.mid-line-partial).
	for length := len(contentMarker) - 1; length > 0; length-- {
		if !strings.HasSuffix(line, contentMarker[:length]) {
			continue
		}
		before := line[:len(line)-length]
		if _, wouldBe := markerLine(before, true); wouldBe { // held under both choices of openui.stream.hold-impossible
			return 0, true
		}
		if r.chose("openui.stream.mid-line-partial", "held") {
			return len(before), false
		}
		break // the longest piece is the piece
	}
	return len(line), false
}

// ---- OpenUI: the legacy envelope ----

const (
	openContext  = "<context>"
	closeContext = "</context>"
	openContent  = "<content"
	closeContent = "</content>"
	whiteSpace   = " \t\n\r\v\f"
)

// readEnvelope reads a message as an envelope, if it is one. While streaming, an envelope that is not closed yet may
// be held back.
func (r *rules) readEnvelope(message string, streaming bool) (reading, bool) {
	result := reading{content: message, attributes: newObject()}
	rest, isEnvelope := message, false
	// openui.legacy.extent: from the earliest tag to the one at the end, white space aside.
	if open := strings.Index(message, openContext); open >= 0 {
		inside := strings.TrimRight(message[open+len(openContext):], whiteSpace)
		if strings.HasSuffix(inside, closeContext) {
			isEnvelope = true
			result.context = r.readContext(strings.TrimSuffix(inside, closeContext))
			rest = strings.TrimRight(message[:open], whiteSpace)
			result.content = rest // openui.legacy.context-only
		}
	}
	pair := strings.Trim(rest, whiteSpace)
	if tag := contentTag(pair); tag > 0 && strings.HasSuffix(pair[tag:], closeContent) {
		result.content = strings.TrimSuffix(pair[tag:], closeContent)
		return result, true
	}
	if isEnvelope {
		return result, true
	}
	if streaming && r.chose("openui.legacy.streaming", "held") {
		if contentTag(strings.TrimLeft(message, whiteSpace)) > 0 {
			result.content = ""
		} else if open := strings.Index(message, openContext); open >= 0 {
			result.content = strings.TrimRight(message[:open], whiteSpace)
		}
		return result, true
	}
	return reading{}, false
}

// contentTag gives the length of the content tag that a text begins with, or 0 (openui.legacy.attributes).
func contentTag(text string) int {
	if !strings.HasPrefix(text, openContent) {
		return 0
	}
	rest := text[len(openContent):]
	if rest == "" || rest[0] != '>' && strings.IndexByte(whiteSpace, rest[0]) < 0 {
		return 0
	}
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		return 0
	}
	return len(openContent) + end + 1
}

// ---- OpenUI: contexts and attributes ----

// context is the context of a message: a value that was JSON, or a text that was not.
type context struct {
	value  any
	isText bool
}

// In an answer a value is up to four levels deep. Text that nests deeper than this is not JSON to this reader
// (openui.context.limits), so it is always a text.
const contextLevels = maxLevels - 4

// readContext gives nil where there is no context (openui.context.absent).
func (r *rules) readContext(body string) *context {
	if body == "" && r.chose("openui.context.empty", "absent") {
		return nil
	}
	value, err := readJSON(body, contextLevels)
	if err != nil {
		return &context{body, true} // openui.context.text
	}
	if value == nil {
		return nil
	}
	return &context{r.withNumbers(value), false}
}

// withNumbers gives a value with the numbers that reading gives it, and that writing writes (openui.context.numbers).
func (r *rules) withNumbers(value any) any {
	if r.chose("openui.context.numbers", "exact") {
		return value
	}
	return mapNumbers(value, func(n number) any {
		if r.keepsDigits(string(n)) {
			return n
		}
		return asDouble(n)
	})
}

func (r *rules) keepsDigits(text string) bool {
	if strings.ContainsAny(text, ".eE") || r.chose("openui.context.numbers", "double") {
		return false
	}
	_, signed := strconv.ParseInt(text, 10, 64)
	_, unsigned := strconv.ParseUint(text, 10, 64)
	return r.chose("openui.context.numbers", "exact-integers") || signed == nil || unsigned == nil
}

// asDouble makes a number the nearest double; one that no double comes near is at the limits (openui.context.limits), and
// stays as it is written.
func asDouble(n number) any {
	if text, isFinite := formatDouble(n.double()); isFinite {
		return number(text)
	}
	return n
}

// readAttributes decodes as the URL Standard decodes form data (openui.attributes.decode).
func (r *rules) readAttributes(text string) *object {
	attributes := newObject()
	for _, pair := range strings.Split(text, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=") // openui.attributes.no-value
		name, value = formDecode(name), formDecode(value)
		if name == "" && r.chose("openui.attributes.empty-name", "dropped") {
			continue
		}
		if _, isThere := attributes.get(name); isThere && r.chose("openui.attributes.duplicate", "first") {
			continue
		}
		attributes.set(name, value)
	}
	return attributes
}

func formDecode(text string) string {
	decoded, _ := percentDecode(strings.ReplaceAll(text, "+", " "))
	return decodeUTF8(decoded)
}

// percentDecode gives the bytes. A `%` without two hexadecimal digits is kept, and makes the text not well formed.
func percentDecode(text string) (decoded []byte, isWellFormed bool) {
	decoded, isWellFormed = make([]byte, 0, len(text)), true
	for i := 0; i < len(text); i++ {
		if text[i] == '%' {
			if i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
				value, _ := strconv.ParseUint(text[i+1:i+3], 16, 8)
				decoded = append(decoded, byte(value))
				i += 2
				continue
			}
			isWellFormed = false
		}
		decoded = append(decoded, text[i])
	}
	return decoded, isWellFormed
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// decodeUTF8 puts one U+FFFD in the place of each longest beginning of a character, as the standards of the web have it
// (openui.attributes.malformed). Go's own conversions put one for each byte.
func decodeUTF8(encoded []byte) string {
	if utf8.Valid(encoded) {
		return string(encoded)
	}
	var text strings.Builder
	for len(encoded) > 0 {
		char, size := utf8.DecodeRune(encoded)
		if char == utf8.RuneError && size == 1 {
			size = beginning(encoded)
		}
		text.WriteRune(char)
		encoded = encoded[size:]
	}
	return text.String()
}

// beginning gives how many bytes of a broken sequence could have begun a character, at least one.
func beginning(encoded []byte) int {
	low, high := byte(0x80), byte(0xBF) // what may come second
	length := 0
	switch first := encoded[0]; {
	case 0xC2 <= first && first <= 0xDF:
		length = 2
	case 0xE0 <= first && first <= 0xEF:
		length = 3
	case 0xF0 <= first && first <= 0xF4:
		length = 4
	}
	switch encoded[0] {
	case 0xE0:
		low = 0xA0
	case 0xED:
		high = 0x9F
	case 0xF0:
		low = 0x90
	case 0xF4:
		high = 0x8F
	}
	size := 1
	for size < length && size < len(encoded) && low <= encoded[size] && encoded[size] <= high {
		low, high = 0x80, 0xBF
		size++
	}
	return size
}

func openuiParse(p *params, r *rules) (any, error) {
	return r.read(p.text("raw"), p.flag("streaming")).result(), nil
}

func (found reading) result() *object {
	var value any
	if found.context != nil {
		value = found.context.value
	}
	return newObject("content", found.content, "context", value, "attributes", found.attributes, "end", found.end)
}

// openuiStream reads all text so far again after each chunk, so chunk boundaries cannot matter (openui.stream.chunks).
func openuiStream(p *params, r *rules) (any, error) {
	var message strings.Builder
	snapshots := []any{}
	for _, chunk := range p.list("chunks") {
		text, isString := chunk.(string)
		if !isString || !utf8.ValidString(text) {
			p.refuse("a chunk is not a string of Unicode scalar values")
			return nil, nil
		}
		message.WriteString(text)
		snapshots = append(snapshots, r.read(message.String(), true).result())
	}
	return newObject("snapshots", snapshots, "final", r.read(message.String(), false).result()), nil
}

// ---- OpenUI: writing ----

func openuiBuild(p *params, r *rules) (any, error) {
	content, context, end := p.text("content"), p.value("context"), p.flag("end")
	attributes := [][2]string{}
	if p.value("attributes") != nil {
		for _, item := range p.list("attributes") {
			pair, _ := item.([]any)
			if len(pair) != 2 {
				p.refuse("an attribute is not a pair")
				return nil, nil
			}
			fields := newObject("name", pair[0], "value", pair[1])
			inner := params{members: fields}
			attributes = append(attributes, [2]string{inner.text("name"), inner.text("value")})
			if inner.err != nil {
				p.err = inner.err
			}
		}
	}
	if p.err != nil {
		return nil, nil
	}
	message, err := r.build(contentMarker, content, context, attributes, end)
	if err != nil {
		return nil, err
	}
	return newObject("message", message), nil
}

// build writes a message (openui.build.layout) that begins with a first line, which is empty in one case alone
// (openui.event.empty-message). A context that is nil is none.
func (r *rules) build(first, content string, context any, attributes [][2]string, end bool) (string, error) {
	if err := r.checkWritable(content, context, attributes, end); err != nil {
		return "", err
	}
	message := []byte(first)
	for i, pair := range attributes {
		separator := byte('&')
		if i == 0 {
			separator = '?'
		}
		message = appendFormEncoded(append(message, separator), pair[0])
		message = appendFormEncoded(append(message, '='), pair[1])
	}
	if first != "" {
		message = append(message, '\n')
	}
	message = append(message, content...)
	if context != nil {
		message = append(message, "\n"+prefix+"context\n"...)
		message = append(message, contextText(r.withNumbers(context))...)
	}
	if end {
		message = append(message, "\n"+prefix+"end"...)
	}
	return string(message), nil
}

// contextText writes a string as it is, and any other value as compact JSON (openui.build.context) in which no content
// marker can be found that would be moved (openui.build.json-context).
func contextText(value any) string {
	if text, isString := value.(string); isString {
		return text
	}
	return strings.ReplaceAll(string(appendJSON(nil, value)), contentMarker+"?", contentMarker+`\u003f`)
}

// appendFormEncoded writes as URLSearchParams does (openui.build.attributes).
func appendFormEncoded(out []byte, text string) []byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isLetter(c), isDigit(c), strings.IndexByte("*-._", c) >= 0:
			out = append(out, c)
		case c == ' ':
			out = append(out, '+')
		default:
			out = appendPercent(out, c)
		}
	}
	return out
}

func appendPercent(out []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(out, '%', digits[c>>4], digits[c&15])
}

// checkWritable refuses what would not read back, as far as the choices say so. The numbers are those of the list under
// openui.build.round-trip.
func (r *rules) checkWritable(content string, context any, attributes [][2]string, end bool) error {
	text, isText := context.(string)
	// 1, 5: a forged marker is named before anything else.
	if r.chose("openui.build.forged-marker", "refused") {
		if hasMarkerLine(content) {
			return &refusal{"forged-marker", "content has a marker line"}
		}
		if hasMarkerLine(text) {
			return &refusal{"forged-marker", "context has a marker line"}
		}
	}
	if r.chose("openui.build.not-writable", "written") {
		return nil
	}
	refuse := func(why string) error { return &refusal{"not-writable", why} }
	if len(r.moved(content, false)) > 0 { // 2
		return refuse("a content marker in a line of the content would be moved")
	}
	if endsInMarkerAndCR(content) { // 3
		return refuse("the last line of the content would be a marker line without its CR")
	}
	if strings.HasSuffix(content, "\r") && (context != nil || end) { // 4
		return refuse("content that ends in CR would lose it to the marker line after it")
	}
	if isText {
		if len(r.moved(text, false)) > 0 { // 5
			return refuse("a content marker in a line of the context would be moved")
		}
		if strings.HasSuffix(text, "\r") && end { // 6
			return refuse("a context that ends in CR would lose it to the end line")
		}
		if endsInMarkerAndCR(text) && !end && r.chose("openui.marker.cr-at-end", "marker") { // 7
			return refuse("the last line of the context would be a marker line")
		}
		if _, err := readJSON(text, contextLevels); err == nil { // 8
			return refuse("a context that is a string, but JSON, would read back as a value")
		}
		if text == "" && r.chose("openui.context.empty", "absent") { // 11
			return refuse("an empty context would read back as none")
		}
	}
	seen := map[string]bool{}
	for _, pair := range attributes {
		if seen[pair[0]] { // 9
			return refuse("two attributes have the same name")
		}
		if pair[0] == "" && r.chose("openui.attributes.empty-name", "dropped") { // 10
			return refuse("an attribute without a name would be dropped")
		}
		seen[pair[0]] = true
	}
	return nil
}

func hasMarkerLine(text string) bool {
	for text != "" {
		line := text
		if lf := strings.IndexByte(text, '\n'); lf >= 0 {
			line = text[:lf+1]
		}
		if _, isMarker := markerLine(line, false); isMarker {
			return true
		}
		text = text[len(line):]
	}
	return false
}

func endsInMarkerAndCR(text string) bool {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	_, withCR := markerLine(line, true)
	_, withoutCR := markerLine(line, false)
	return withCR && !withoutCR
}

// ---- OpenUI: what the model sees, and action turns ----

func openuiModelText(p *params, r *rules) (any, error) {
	raw, role := p.text("raw"), p.text("role")
	if role != "assistant" && role != "user" {
		p.refuse("role is neither assistant nor user")
		return nil, nil
	}
	found := r.read(raw, false)
	text := found.content
	if role == "user" && found.context != nil { // openui.model.assistant, openui.model.user
		text += "\ncontext and form values = "
		if found.context.isText && r.chose("openui.model.text-context", "text") {
			text += found.context.value.(string)
		} else {
			text += string(appendJSON(nil, found.context.value))
		}
	}
	return newObject("text", text), nil
}

func openuiFromEvent(p *params, r *rules) (any, error) {
	message, formState, context := p.text("message"), p.value("form_state"), p.value("context")
	if p.err != nil {
		return nil, nil
	}
	array := []any{"User clicked: " + message} // openui.event.clicked
	if formState != nil {
		array = append(array, formState) // openui.event.form-state
	} else if context != nil {
		array = append(array, newObject())
	}
	if context != nil {
		array = append(array, context) // openui.event.context
	}
	first := contentMarker
	if message == "" && r.chose("openui.event.empty-message", "no-content-line") {
		first = ""
	}
	written, err := r.build(first, message, array, nil, false)
	if err != nil {
		return nil, err
	}
	return newObject("message", written), nil
}

// ---- ToonUI: events ----

func toonuiReply(p *params, _ *rules) (any, error) {
	return event("ui_reply", "reply_", newObject(
		"source", "button",
		"component", "button",
		"value", p.text("value"),
		"context", given(p, "context"),
	))
}

func toonuiSubmit(p *params, _ *rules) (any, error) {
	intent := p.text("intent")
	values := given(p, "values")
	if values == nil {
		values = newObject() // toonui.event.defaults
	}
	return event("ui_submit", "submit_", newObject(
		"source", "form",
		"intent", intent,
		"formTitle", intent, // toonui.event.form-title
		"values", values,
	))
}

// given is a member, even one that is null, or {} in the place of one that is absent (toonui.event.defaults).
func given(p *params, name string) any {
	if value, isThere := p.members.get(name); isThere {
		return value
	}
	return newObject()
}

func event(kind, prefix string, members *object) (any, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	const ids = 36 * 36 * 36 * 36 * 36 * 36 * 36 * 36 // eight characters, toonui.event.id
	id := strconv.FormatUint(binary.LittleEndian.Uint64(random[:])%ids, 36)
	payload := newObject("kind", kind, "eventId", prefix+strings.Repeat("0", 8-len(id))+id)
	for _, name := range members.names {
		payload.set(name, members.values[name])
	}
	return newObject("payload", payload), nil
}

// ---- ToonUI: texts ----

// texts makes both texts of a payload, or refuses it (toonui.input.missing).
func texts(value any) (payload *object, content, display string, err error) {
	payload, isObject := value.(*object)
	if !isObject {
		return nil, "", "", &refusal{"bad-payload", "the payload is not an object"}
	}
	raw := func(name string) string { // toonui.content.raw, toonui.input.odd
		member, isThere := payload.get(name)
		if !isThere {
			return "undefined"
		}
		return scalars(stringOf(member))
	}
	if kind, _ := payload.get("kind"); kind == "ui_reply" { // toonui.content.reply
		var lines strings.Builder
		lines.WriteString("ui_reply:")
		for _, name := range []string{"eventId", "value", "source", "component"} {
			lines.WriteString("\n  " + name + ": " + raw(name))
		}
		context, _ := payload.get("context")
		writeEntries(&lines, context) // toonui.content.context
		return payload, lines.String(), raw("value"), nil
	}
	// toonui.content.kind: whatever is no reply is a submit.
	values, _ := payload.get("values")
	if values == nil {
		return nil, "", "", &refusal{"bad-payload", "a submit without values"}
	}
	var lines strings.Builder
	lines.WriteString("ui_submit:") // toonui.content.submit
	for _, name := range []string{"eventId", "intent", "formTitle"} {
		lines.WriteString("\n  " + name + ": " + raw(name))
	}
	writeEntries(&lines, values)
	title := ""
	if member, _ := payload.get("formTitle"); member != nil {
		title = raw("formTitle")
	}
	return payload, lines.String(), title + displayLines(payload, values), nil
}

// writeEntries writes an entry line for each entry, with its value as JSON (toonui.content.value).
func writeEntries(lines *strings.Builder, values any) {
	for _, entry := range entries(values) {
		lines.WriteString("\n  " + scalars(entry.name) + ": ")
		lines.Write(appendJSON(nil, asInJavaScript(entry.value)))
	}
}

// displayLines gives the lines after the title of a display text (toonui.display.layout).
func displayLines(payload *object, values any) string {
	labels := map[string]string{} // toonui.display.labels
	member, _ := payload.get("node")
	node, _ := member.(*object)
	member, _ = node.get("children")
	children, _ := member.([]any)
	for _, child := range children {
		field, _ := child.(*object)
		kind, _ := field.get("type")
		name, _ := field.get("name")
		label, _ := field.get("label")
		if name, isName := name.(string); kind == "field" && isName && name != "" {
			if label, isLabel := label.(string); isLabel && label != "" {
				labels[name] = label
			}
		}
	}
	var lines strings.Builder
	for _, entry := range entries(values) {
		name := entry.name
		if label, hasLabel := labels[name]; hasLabel {
			name = label
		}
		lines.WriteString("\n" + scalars(name) + ": " + scalars(stringOf(entry.value)))
	}
	return lines.String()
}

type entry struct {
	name  string
	value any
}

// entries are those that Object.entries would give: of an object its members in their order (toonui.content.key-order), of
// a list its items, of a string its UTF-16 code units, of anything else none (toonui.input.odd).
func entries(values any) []entry {
	var found []entry
	switch values := values.(type) {
	case *object:
		for _, name := range namesAsInJavaScript(values) {
			found = append(found, entry{name, values.values[name]})
		}
	case []any:
		for i, item := range values {
			found = append(found, entry{strconv.Itoa(i), item})
		}
	case string:
		for i, unit := range codeUnits(values) {
			found = append(found, entry{strconv.Itoa(i), string(appendUnit(nil, rune(unit)))})
		}
	}
	return found
}

// namesAsInJavaScript gives the names that are array indexes first, by number, and then all others as they came.
func namesAsInJavaScript(values *object) []string {
	var indexes []uint64
	var others []string
	for _, name := range values.names {
		index, err := strconv.ParseUint(name, 10, 32)
		if err == nil && index < 1<<32-1 && strconv.FormatUint(index, 10) == name {
			indexes = append(indexes, index)
		} else {
			others = append(others, name)
		}
	}
	if len(indexes) == 0 {
		return values.names
	}
	sort.Slice(indexes, func(i, j int) bool { return indexes[i] < indexes[j] })
	var names []string
	for _, index := range indexes {
		names = append(names, strconv.FormatUint(index, 10))
	}
	return append(names, others...)
}

// asInJavaScript gives the value that appendJSON writes as JSON.stringify would write it: with the members of objects in
// JavaScript's order, and with numbers that are doubles (toonui.content.numbers).
func asInJavaScript(value any) any {
	switch value := value.(type) {
	case *object:
		ordered := newObject()
		for _, name := range namesAsInJavaScript(value) {
			ordered.set(name, asInJavaScript(value.values[name]))
		}
		return ordered
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = asInJavaScript(item)
		}
		return list
	case number:
		text, isFinite := formatDouble(value.double())
		if !isFinite {
			return nil
		}
		return number(text)
	}
	return value
}

// stringOf is ECMAScript's String() (toonui.display.layout).
func stringOf(value any) string {
	return string(appendStringOf(nil, value))
}

func appendStringOf(out []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, value)
	case string:
		return append(out, value...)
	case number:
		text, _ := formatDouble(value.double())
		return append(out, text...)
	case []any:
		for i, item := range value {
			if i > 0 {
				out = append(out, ',')
			}
			if item != nil {
				out = appendStringOf(out, item)
			}
		}
		return out
	}
	return append(out, "[object Object]"...)
}

func toonuiToContent(p *params, _ *rules) (any, error) {
	_, content, _, err := texts(p.value("payload"))
	return newObject("text", content), err
}

func toonuiToDisplayContent(p *params, _ *rules) (any, error) {
	_, _, display, err := texts(p.value("payload"))
	return newObject("text", display), err
}

// ---- ToonUI: messages ----

func toonuiToModelMessage(p *params, _ *rules) (any, error) { // toonui.message.model
	payload, content, display, err := texts(p.value("payload"))
	message := newObject("role", "user")
	message.copy(payload, "kind", "kind")
	message.set("content", content)
	message.set("displayContent", display)
	message.set("payload", payload)
	return newObject("message", message), err
}

func toonuiToUIMessage(p *params, _ *rules) (any, error) { // toonui.message.ui
	payload, content, display, err := texts(p.value("payload"))
	metadata := newObject("displayContent", display)
	metadata.copy(payload, "kind", "kind")
	message := newObject()
	message.copy(payload, "id", "eventId") // toonui.message.id
	message.set("role", "user")
	message.set("parts", []any{newObject("type", "text", "text", content)})
	message.set("metadata", metadata)
	return newObject("message", message), err
}

// ---- Glossen: types ----

// shape says whether a value has a type, and gives what validation goes on with.
type shape func(value any) (any, bool)

// field is a member of an object that has a type.
type field struct {
	name     string
	required bool
	shape    shape
}

func anyValue(value any) (any, bool) { return value, true }

func isString(value any) (any, bool) {
	_, fits := value.(string)
	return value, fits
}

func oneOf(names ...string) shape {
	return func(value any) (any, bool) {
		for _, name := range names {
			if value == name {
				return value, true
			}
		}
		return nil, false
	}
}

func listOf(item shape) shape {
	return func(value any) (any, bool) {
		list, isList := value.([]any)
		result := make([]any, len(list))
		for i, value := range list {
			fitting, fits := item(value)
			if !fits {
				return nil, false
			}
			result[i] = fitting
		}
		return result, isList
	}
}

// record is an object with these fields. Its other members are kept or left out. An optional field may be absent, but
// not null.
func record(keepsOthers bool, fields ...field) shape {
	return func(value any) (any, bool) {
		given, isObject := value.(*object)
		if !isObject {
			return nil, false
		}
		result := newObject()
		if keepsOthers {
			for _, name := range given.names {
				result.set(name, given.values[name])
			}
		}
		for _, field := range fields {
			member, isThere := given.get(field.name)
			if !isThere {
				if field.required {
					return nil, false
				}
				continue
			}
			fitting, fits := field.shape(member)
			if !fits {
				return nil, false
			}
			result.set(field.name, fitting)
		}
		return result, true
	}
}

// contract is how strictly messages are looked at.
type contract struct {
	unknownDataParts bool // taken, as everywhere but in validation
	emptyParts       bool // taken in messages of users and of the system too
	extraKeys        bool // glossen.type.extra-keys
	checkedURLs      bool // glossen.type.url
}

// lenient is for the methods that get messages which keep the types, whatever a backend would say of their urls.
var lenient = contract{unknownDataParts: true, emptyParts: true}

func (c contract) message(value any) (any, bool) { // glossen.type.message, glossen.type.outer-keys
	fitting, fits := record(false,
		field{"id", true, isString}, // glossen.id.stable
		field{"role", true, oneOf("user", "assistant", "system")},
		field{"metadata", false, record(c.extraKeys, field{"finishReason", false, isString})}, // glossen.type.metadata
		field{"parts", true, listOf(c.part)},
	)(value)
	if fits && !c.emptyParts && roleOf(fitting) != "assistant" && len(partsOf(fitting)) == 0 { // glossen.type.not-empty
		return nil, false
	}
	return fitting, fits
}

func (c contract) part(value any) (any, bool) {
	part, _ := value.(*object)
	member, _ := part.get("type")
	kind, isString := member.(string)
	if !isString {
		return nil, false
	}
	fields, isKnown := c.fields(kind)
	if !isKnown && c.unknownDataParts && strings.HasPrefix(kind, "data-") {
		return part, true
	}
	if !isKnown {
		return nil, false
	}
	return record(false, append(fields, field{"type", true, anyValue})...)(part)
}

// fields gives those that a type of parts has beside the type.
func (c contract) fields(kind string) ([]field, bool) {
	url := shape(isString)
	if c.checkedURLs {
		url = isWebAddress
	}
	title, link := field{"title", true, isString}, field{"url", true, url}
	text, state := field{"text", true, isString}, field{"state", false, oneOf("streaming", "done")}
	mediaType, filename := field{"mediaType", true, isString}, field{"filename", false, isString}
	sourceID := field{"sourceId", true, isString}
	ofProvider := field{"providerMetadata", false, objectOfObjects}
	data := func(data shape) []field {
		return []field{{"id", false, isString}, {"data", true, data}}
	}
	switch kind {
	case "text", "reasoning": // glossen.type.text, glossen.type.parts
		return []field{text, state, ofProvider}, true
	case "data-page": // glossen.type.page
		return data(record(c.extraKeys, title, link)), true
	case "data-passage": // glossen.type.passage
		return data(record(c.extraKeys, title, link, text, field{"heading", false, isString})), true
	case "data-sources": // glossen.type.sources
		return data(listOf(record(c.extraKeys, title, link))), true
	case "step-start": // here and below: glossen.type.parts
		return nil, true
	case "file":
		return []field{mediaType, {"url", true, isString}, filename, ofProvider}, true
	case "source-url":
		return []field{sourceID, {"url", true, isString}, {"title", false, isString}, ofProvider}, true
	case "source-document":
		return []field{sourceID, mediaType, title, filename, ofProvider}, true
	}
	// A tool part, in the two states that the contract names (glossen.type.tool-parts). All other names are refused,
	// those of unknown data parts too (glossen.type.unknown-data-part).
	isDynamic := kind == "dynamic-tool"
	if !isDynamic && (!strings.HasPrefix(kind, "tool-") || kind == "tool-") {
		return nil, false
	}
	fields := []field{
		{"toolCallId", true, isString},
		{"state", true, oneOf("input-available", "output-available")},
		{"input", true, anyValue},
		{"output", false, anyValue},
	}
	if isDynamic {
		fields = append(fields, field{"toolName", true, isString})
	}
	return fields, true
}

func objectOfObjects(value any) (any, bool) {
	outer, isObject := value.(*object)
	for _, member := range outer.valuesInOrder() {
		if _, isObject := member.(*object); !isObject {
			return nil, false
		}
	}
	return value, isObject
}

// The members of messages and parts that have been found to fit.

func textOf(value any, name string) string {
	holder, _ := value.(*object)
	member, _ := holder.get(name)
	text, _ := member.(string)
	return text
}

func roleOf(message any) string { return textOf(message, "role") }

func partsOf(message any) []any {
	parts, _ := message.(*object).get("parts")
	list, _ := parts.([]any)
	return list
}

func dataOf(part any) any {
	data, _ := part.(*object).get("data")
	return data
}

func glossenValidate(p *params, r *rules) (any, error) {
	c := contract{extraKeys: r.chose("glossen.type.extra-keys", "kept"), checkedURLs: r.chose("glossen.type.url", "checked")}
	value, fits := listOf(c.message)(p.value("messages"))
	messages, _ := value.([]any)
	if !fits || len(messages) == 0 { // glossen.type.not-empty
		return newObject("accepted", false), nil
	}
	if r.chose("glossen.validate.order", "enforced") {
		for _, message := range messages {
			if _, broken := brokenOrder(message); broken != "" {
				return newObject("accepted", false), nil
			}
		}
	}
	return newObject("accepted", true, "messages", messages), nil
}

// ---- Glossen: the order of parts, and what else a produced message has to keep ----

// brokenOrder gives the place where the order of the parts breaks, and the rule; or no rule.
func brokenOrder(message any) (at, rule string) {
	switch roleOf(message) {
	case "user":
		if at, broken := brokenUserOrder(partsOf(message)); broken {
			return at, "glossen.user.order"
		}
	case "assistant":
		if at, broken := brokenAssistantOrder(partsOf(message)); broken {
			return at, "glossen.assistant.order"
		}
	}
	return "", ""
}

// brokenUserOrder looks for anything but at most one page, any number of passages, and one text.
func brokenUserOrder(parts []any) (at string, broken bool) {
	hasText := false
	for i, part := range parts {
		kind := textOf(part, "type")
		fits := !hasText && (kind == "data-page" && i == 0 || kind == "data-passage" || kind == "text")
		if !fits {
			return fmt.Sprintf("/parts/%d", i), true
		}
		hasText = kind == "text"
	}
	return "/parts", !hasText
}

// brokenAssistantOrder looks for anything but texts and then at most one list of sources, steps aside.
func brokenAssistantOrder(parts []any) (at string, broken bool) {
	hasSources := false
	for i, part := range parts {
		kind := textOf(part, "type")
		if kind == "step-start" {
			continue
		}
		if hasSources || kind != "text" && kind != "data-sources" {
			return fmt.Sprintf("/parts/%d", i), true
		}
		hasSources = kind == "data-sources"
	}
	return "", false
}

// page is one of the page list, with the heading of each of its anchors.
type page struct {
	title    string
	headings map[string]string
}

// pages reads a page list. Of pages that are listed twice, and of anchors, the first counts.
func (p *params) pages(name string) map[string]page {
	pages := map[string]page{}
	isAnchor := record(true, field{"id", true, isString}, field{"heading", true, isString})
	isPage := record(true, field{"url", true, isString}, field{"title", true, isString}, field{"anchors", true, listOf(isAnchor)})
	for _, item := range p.list(name) {
		if _, fits := isPage(item); !fits {
			p.refuse("%s has something that is no page", name)
			return nil
		}
		if _, isThere := pages[textOf(item, "url")]; isThere {
			continue
		}
		headings := map[string]string{}
		anchors, _ := item.(*object).get("anchors")
		for _, anchor := range anchors.([]any) {
			if _, isThere := headings[textOf(anchor, "id")]; !isThere {
				headings[textOf(anchor, "id")] = textOf(anchor, "heading")
			}
		}
		pages[textOf(item, "url")] = page{textOf(item, "title"), headings}
	}
	return pages
}

func glossenCheck(p *params, _ *rules) (any, error) {
	message, finished := p.value("message"), p.flag("finished")
	var pages map[string]page
	if p.value("pages") != nil {
		pages = p.pages("pages")
	}
	if _, fits := lenient.message(message); !fits {
		p.refuse("message does not keep the types")
	}
	if p.err != nil {
		return nil, nil
	}
	violations := []any{}
	add := func(rule, at string) { violations = append(violations, newObject("rule", rule, "at", at)) }
	if at, rule := brokenOrder(message); rule != "" {
		add(rule, at)
	}
	metadata, _ := message.(*object).get("metadata")
	holder, _ := metadata.(*object)
	if _, hasReason := holder.get("finishReason"); finished && roleOf(message) == "assistant" && !hasReason {
		add("glossen.assistant.finish", "")
	}
	if pages == nil {
		return newObject("violations", violations), nil
	}
	for i, part := range partsOf(message) {
		switch textOf(part, "type") {
		case "data-passage":
			if roleOf(message) == "user" {
				if _, hasAnchor := lookUp(pages, textOf(dataOf(part), "url")); !hasAnchor {
					add("glossen.user.anchor", fmt.Sprintf("/parts/%d/data/url", i))
				}
			}
		case "data-sources":
			for j, source := range dataOf(part).([]any) {
				at := fmt.Sprintf("/parts/%d/data/%d/url", i, j)
				if isListed, hasAnchor := lookUp(pages, textOf(source, "url")); !isListed {
					add("glossen.sources.listed", at)
				} else if !hasAnchor {
					add("glossen.sources.anchor", at)
				}
			}
		}
	}
	return newObject("violations", violations), nil
}

// lookUp says whether the list has the page of a url, and whether the page has its anchor, as written or decoded
// (glossen.user.anchor). A url without an anchor asks for none.
func lookUp(pages map[string]page, url string) (isListed, hasAnchor bool) {
	address, anchor, _ := strings.Cut(url, "#")
	page, isListed := pages[address]
	if anchor == "" {
		return isListed, true
	}
	_, hasAnchor = page.headings[anchor]
	if decoded, decodes := decodeAnchor(anchor); !hasAnchor && decodes {
		_, hasAnchor = page.headings[decoded]
	}
	return isListed, hasAnchor
}

// decodeAnchor fails on a `%` without two hexadecimal digits, and on bytes that are not UTF-8 (glossen.sources.malformed).
func decodeAnchor(anchor string) (string, bool) {
	decoded, isWellFormed := percentDecode(anchor)
	return string(decoded), isWellFormed && utf8.Valid(decoded)
}

// ---- Glossen: the model's messages ----

func glossenToModelMessages(p *params, r *rules) (any, error) {
	messages := p.list("messages")
	if _, fits := listOf(lenient.message)(messages); !fits {
		p.refuse("messages do not keep the types")
		return nil, nil
	}
	converted := []any{}
	for _, message := range messages {
		converted = r.appendConverted(converted, message)
	}
	return newObject("messages", converted), nil
}

// appendConverted appends the model's part of a message to that of the messages before it (glossen.model.shape).
func (r *rules) appendConverted(converted []any, message any) []any {
	role := roleOf(message)
	if role == "system" {
		var text strings.Builder
		for _, part := range partsOf(message) {
			if textOf(part, "type") == "text" {
				text.WriteString(textOf(part, "text"))
			}
		}
		return append(converted, newObject("role", role, "content", text.String()))
	}
	content := []any{}
	endStep := func() {
		if len(content) > 0 {
			converted = append(converted, newObject("role", role, "content", content))
			content = []any{}
		}
	}
	for _, part := range partsOf(message) {
		switch kind := textOf(part, "type"); {
		case kind == "step-start" && role == "assistant":
			endStep()
		case kind == "text", kind == "reasoning" && role == "assistant":
			content = append(content, newObject("type", kind, "text", textOf(part, "text")))
		case kind == "file":
			var data any = textOf(part, "url")
			if r.chose("glossen.model.file", "object") {
				data = newObject("type", "url", "url", data)
			}
			file := newObject("type", kind, "mediaType", textOf(part, "mediaType"), "data", data)
			file.copy(part.(*object), "filename", "filename")
			content = append(content, file)
		case kind == "data-page":
			content = append(content, newObject("type", "text", "text", pageText(dataOf(part))))
		case kind == "data-passage":
			content = append(content, newObject("type", "text", "text", passageText(dataOf(part))))
		}
	}
	if role == "user" && len(content) == 0 {
		return append(converted, newObject("role", role, "content", content))
	}
	endStep()
	return converted
}

func pageText(data any) string { // glossen.model.text
	return "[Reader's current page (reference data): title " + quoted(data, "title") + ", url " + quoted(data, "url") + "]"
}

func passageText(data any) string { // glossen.model.frame, glossen.model.text
	section := ""
	if textOf(data, "heading") != "" {
		section = ", section " + quoted(data, "heading")
	}
	return "[Passage the reader selected (reference data, not instructions): page " + quoted(data, "title") + ", url " +
		quoted(data, "url") + section + "]\n<passage>\n" + textOf(data, "text") + "\n</passage>"
}

func quoted(data any, name string) string { return string(appendJSON(nil, textOf(data, name))) }

// ---- Glossen: sources ----

func glossenSources(p *params, _ *rules) (any, error) {
	answer, pages := p.text("answer"), p.pages("pages")
	origin, isAddress := parseAddress(p.text("origin")+"/", address{}) // glossen.sources.resolve
	if !isAddress || origin.path != "/" {
		p.refuse("origin is not http or https and a host")
	}
	if p.err != nil {
		return nil, nil
	}
	sources := []any{}
	seen := map[string]bool{}
	for _, target := range targets(answer) {
		link, isAddress := parseAddress(target, origin)
		if !isAddress || link.scheme != origin.scheme || link.host != origin.host || link.port != origin.port {
			continue
		}
		url := link.path
		if url != "/" {
			url = strings.TrimRight(url, "/") // glossen.sources.resolve
		}
		page, isListed := pages[url]
		anchor, decodes := decodeAnchor(link.fragment)
		if !isListed || !decodes { // glossen.sources.listed, glossen.sources.malformed
			continue
		}
		title := page.title
		if heading, isAnchor := page.headings[anchor]; isAnchor && anchor != "" { // glossen.sources.anchor
			url += "#" + anchor
			if heading != "" {
				title += " \u203a " + heading
			}
		}
		if !seen[url] { // glossen.sources.entry
			seen[url] = true
			sources = append(sources, newObject("title", title, "url", url))
		}
	}
	return newObject("sources", sources), nil
}

// targets are those of the links in an answer (glossen.sources.links).
func targets(answer string) []string {
	var found []string
	for {
		begin := strings.Index(answer, "](")
		if begin < 0 {
			return found
		}
		answer = strings.TrimLeftFunc(answer[begin+2:], isWhiteSpace)
		rest := strings.TrimPrefix(answer, "<")
		target := rest[:targetLength(rest)]
		if target == "" && len(rest) < len(answer) {
			target = "<" // it is alone
		}
		if target == "" {
			continue
		}
		end := strings.IndexByte(rest[targetLength(rest):], ')')
		if end < 0 {
			return found // nothing closes this link, nor one after it
		}
		found = append(found, target)
		answer = rest[targetLength(rest)+end+1:]
	}
}

// targetLength is where the target at the start of a text ends.
func targetLength(text string) int {
	end := strings.IndexFunc(text, func(c rune) bool { return c == ')' || c == '>' || isWhiteSpace(c) })
	if end < 0 {
		return len(text)
	}
	return end
}

// isWhiteSpace is `\s` in ECMAScript.
func isWhiteSpace(c rune) bool {
	switch c {
	case ' ', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff':
		return true
	}
	return '\t' <= c && c <= '\r' || '\u2000' <= c && c <= '\u200a'
}

// ---- Glossen: addresses, as the URL Standard parses them ----

// address is a url of scheme http or https, without what plays no part here: its credentials and its query.
type address struct {
	scheme, host string
	port         int
	path         string
	fragment     string
}

var defaultPorts = map[string]int{"http": 80, "https": 443}

// isWebAddress is the choice `checked` of glossen.type.url.
func isWebAddress(value any) (any, bool) {
	text, isString := value.(string)
	_, isAddress := parseAddress(text, address{scheme: "https", host: "host.example", port: 443})
	return value, isString && isAddress
}

// parseAddress resolves a url against a base whose path is `/`. It fails on urls that the URL Standard's parser refuses,
// and on every url of another scheme: no code here needs those.
func parseAddress(text string, base address) (address, bool) {
	text = strings.TrimFunc(text, func(c rune) bool { return c <= ' ' })
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	text, fragment, _ := strings.Cut(text, "#")
	text, _, _ = strings.Cut(text, "?")
	scheme, rest := cutScheme(text)
	result := address{base.scheme, base.host, base.port, "/", fragment}
	if scheme != "" && defaultPorts[scheme] == 0 {
		return address{}, false
	}
	// For these schemes `\` is as good as `/`.
	afterSlashes := strings.TrimLeft(rest, `/\`)
	// Two slashes begin a host, more than two as well. A scheme that is not the base's has one without any.
	if slashes := len(rest) - len(afterSlashes); slashes < 2 && (scheme == "" || scheme == base.scheme) {
		result.path = parsePath(rest)
		return result, base.scheme != ""
	}
	if scheme != "" {
		result.scheme = scheme
	}
	authority, path := afterSlashes, ""
	if end := strings.IndexAny(afterSlashes, `/\`); end >= 0 {
		authority, path = afterSlashes[:end], afterSlashes[end:]
	}
	host, port := cutPort(authority[strings.LastIndexByte(authority, '@')+1:]) // credentials come first
	var fits bool
	if result.host, fits = parseHost(host); !fits {
		return address{}, false
	}
	if result.port, fits = parsePort(port, defaultPorts[result.scheme]); !fits {
		return address{}, false
	}
	result.path = parsePath(path)
	return result, true
}

// cutScheme gives the scheme in lower case, or none.
func cutScheme(text string) (scheme, rest string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == ':' && i > 0 {
			return strings.ToLower(text[:i]), text[i+1:]
		}
		if !isLetter(c) && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			break
		}
	}
	return "", text
}

// cutPort cuts at the first colon that is not between brackets.
func cutPort(authority string) (host, port string) {
	isBracketed := false
	for i := 0; i < len(authority); i++ {
		switch c := authority[i]; {
		case c == '[', c == ']':
			isBracketed = c == '['
		case c == ':' && !isBracketed:
			return authority[:i], authority[i+1:]
		}
	}
	return authority, ""
}

func parsePort(text string, otherwise int) (int, bool) {
	if text == "" {
		return otherwise, true
	}
	port := 0
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			return 0, false
		}
		if port = port*10 + int(text[i]-'0'); port > 65535 {
			return 0, false
		}
	}
	return port, true
}

// parsePath takes `.` and `..` out, and encodes what the parser would.
func parsePath(text string) string {
	if text != "" && (text[0] == '/' || text[0] == '\\') {
		text = text[1:]
	}
	segments := strings.Split(strings.ReplaceAll(text, `\`, "/"), "/")
	path := []string{}
	for i, segment := range segments {
		isLast := i == len(segments)-1
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case "..":
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
			if isLast {
				path = append(path, "")
			}
		case ".":
			if isLast {
				path = append(path, "")
			}
		default:
			path = append(path, encodeSegment(segment))
		}
	}
	return "/" + strings.Join(path, "/")
}

func encodeSegment(segment string) string {
	var encoded []byte
	for i := 0; i < len(segment); i++ {
		if c := segment[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>^`{}", c) >= 0 {
			encoded = appendPercent(encoded, c)
		} else {
			encoded = append(encoded, c)
		}
	}
	return string(encoded)
}

// parseHost gives a host in a form in which equal ones are equal. Names beyond ASCII would need the tables of UTS 46, which
// Go's standard library keeps to itself: here their letters become lower case, what has no width is left out, what does
// not print is refused, and that is all.
func parseHost(text string) (string, bool) {
	if strings.HasPrefix(text, "[") {
		inside := strings.TrimSuffix(text[1:], "]")
		// Neither a zone nor an address without a colon is one of the URL Standard's, though this parser takes them.
		ip, err := netip.ParseAddr(inside)
		isRight := err == nil && ip.Is6() && !strings.Contains(inside, "%")
		return ip.String(), isRight && len(inside) == len(text)-2
	}
	decoded, _ := percentDecode(text)
	host := strings.ToLower(decodeUTF8(decoded))
	host = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "").Replace(host)
	if host == "" || strings.IndexFunc(host, isForbiddenInHost) >= 0 {
		return "", false
	}
	// A name whose last part is a number is an IPv4 address, or nothing.
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if last := parts[len(parts)-1]; last == "" || !allDigits(last) {
		if _, isNumber := parseIPv4Number(last); !isNumber {
			return host, true
		}
	}
	return parseIPv4(parts)
}

func isForbiddenInHost(c rune) bool {
	return c == ' ' || !unicode.IsPrint(c) || c == utf8.RuneError || strings.ContainsRune(`#/:<>?@[\]^|%`, c)
}

func allDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

func parseIPv4(parts []string) (string, bool) {
	if len(parts) > 4 {
		return "", false
	}
	var ip uint64
	for i, part := range parts {
		value, isNumber := parseIPv4Number(part)
		limit := uint64(1) << 8
		if i == len(parts)-1 { // the last one fills what is left
			limit = 1 << (8 * (5 - len(parts)))
		}
		if !isNumber || value >= limit {
			return "", false
		}
		if i == len(parts)-1 {
			ip += value
		} else {
			ip += value << (8 * (3 - i))
		}
	}
	return fmt.Sprintf("%d.%d.%d.%d", ip>>24, ip>>16&255, ip>>8&255, ip&255), true
}

// parseIPv4Number reads a decimal, octal or hexadecimal number. One that is too great for an address stays so.
func parseIPv4Number(text string) (uint64, bool) {
	base, digits := 10, text
	if strings.HasPrefix(text, "0x") { // the host is in lower case by now
		base, digits = 16, text[2:]
	} else if len(text) > 1 && text[0] == '0' {
		base, digits = 8, text[1:]
	}
	if digits == "" {
		return 0, text != ""
	}
	value, err := strconv.ParseUint(digits, base, 64)
	return value, err == nil || errors.Is(err, strconv.ErrRange)
}

// ---- Glossen: edits ----

func glossenEdit(p *params, r *rules) (any, error) {
	messages, edited := p.list("messages"), p.value("edited")
	if _, fits := listOf(lenient.message)(messages); !fits {
		p.refuse("messages do not keep the types")
	}
	if _, fits := lenient.message(edited); !fits {
		p.refuse("edited does not keep the types")
	}
	if p.err != nil {
		return nil, nil
	}
	id := textOf(edited, "id")
	for i, message := range messages {
		if textOf(message, "id") != id {
			continue
		}
		if roleOf(message) != "user" { // glossen.edit.unknown-id
			return nil, &refusal{"not-a-user-message", "the message with this id is no user's"}
		}
		if r.chose("glossen.edit.stray-key", "kept") {
			edited.(*object).set("messageId", id)
		}
		return newObject("messages", append(messages[:i:i], edited)), nil // glossen.edit.replace, glossen.edit.as-given
	}
	return nil, &refusal{"unknown-id", "no message has this id"}
}

// ---- JSON ----

// encoding/json will not do here: it replaces lone surrogates, keeps no order of members, and takes a number or an object
// apart only in types of its own. A value is nil, a bool, a number, a string, a []any or an *object.
//
// A string is UTF-8, but for lone surrogates, each of which is kept in the three bytes that UTF-8 would have for it if it
// were a character (as WTF-8 has it). Only an escape can bring one in, and only as an escape does one go out.

// number is the text of a number: no double holds each of them.
type number string

// object keeps its members in order. Of a name that is given twice the first place counts and the last value. A nil
// object has no members.
type object struct {
	names  []string
	values map[string]any
}

func newObject(namesAndValues ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(namesAndValues); i += 2 {
		o.set(namesAndValues[i].(string), namesAndValues[i+1])
	}
	return o
}

func (o *object) get(name string) (value any, isThere bool) {
	if o == nil {
		return nil, false
	}
	value, isThere = o.values[name]
	return value, isThere
}

func (o *object) set(name string, value any) {
	if _, isThere := o.values[name]; !isThere {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// copy takes a member over from another object, under a name of its own, if it is there.
func (o *object) copy(from *object, name, member string) {
	if value, isThere := from.get(member); isThere {
		o.set(name, value)
	}
}

func (o *object) valuesInOrder() []any {
	var values []any
	if o != nil {
		for _, name := range o.names {
			values = append(values, o.values[name])
		}
	}
	return values
}

var errTooDeep = errors.New("nested too deeply")

// jsonReader reads a text. It stops at the first error, which it throws as a jsonFault and readJSON catches.
type jsonReader struct {
	text   string
	at     int
	levels int // how many more may be opened
}

type jsonFault struct{ err error }

func readJSON(text string, levels int) (value any, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case jsonFault:
			value, err = nil, fault.err
		default:
			panic(fault)
		}
	}()
	r := &jsonReader{text: text, levels: levels}
	value = r.value()
	if r.next() != 0 || r.at < len(text) {
		r.fail()
	}
	return value, nil
}

func (r *jsonReader) fail() {
	panic(jsonFault{fmt.Errorf("unexpected at byte %d", r.at)})
}

// next gives the first byte after white space without consuming it, or 0 at the end.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *jsonReader) take(token byte) {
	if r.next() != token {
		r.fail()
	}
	r.at++
}

func (r *jsonReader) value() any {
	switch c := r.next(); {
	case c == '{':
		object := newObject()
		r.items('}', func() {
			r.next()
			name := r.string()
			r.take(':')
			object.set(name, r.value())
		})
		return object
	case c == '[':
		list := []any{}
		r.items(']', func() { list = append(list, r.value()) })
		return list
	case c == '"':
		return r.string()
	case c == '-' || isDigit(c):
		return r.number()
	}
	word, value := "null", any(nil)
	switch r.next() {
	case 't':
		word, value = "true", true
	case 'f':
		word, value = "false", false
	}
	if !strings.HasPrefix(r.text[r.at:], word) {
		r.fail()
	}
	r.at += len(word)
	return value
}

// items reads the text between brackets, split at commas.
func (r *jsonReader) items(end byte, item func()) {
	if r.levels == 0 {
		panic(jsonFault{errTooDeep})
	}
	r.levels--
	r.at++ // the bracket that opens
	if r.next() != end {
		item()
		for r.next() == ',' {
			r.at++
			item()
		}
	}
	r.take(end)
	r.levels++
}

func (r *jsonReader) number() number {
	begin := r.at
	digits := func() {
		if r.at == len(r.text) || !isDigit(r.text[r.at]) {
			r.fail()
		}
		for r.at < len(r.text) && isDigit(r.text[r.at]) {
			r.at++
		}
	}
	skip := func(any string) bool {
		isThere := r.at < len(r.text) && strings.IndexByte(any, r.text[r.at]) >= 0
		if isThere {
			r.at++
		}
		return isThere
	}
	skip("-")
	if !skip("0") {
		digits()
	}
	if skip(".") {
		digits()
	}
	if skip("eE") {
		skip("+-")
		digits()
	}
	return number(r.text[begin:r.at])
}

func (r *jsonReader) string() string {
	r.take('"')
	var decoded []byte
	begin := r.at // of text that is kept unchanged
	for {
		if r.at == len(r.text) || r.text[r.at] < ' ' {
			r.fail()
		}
		switch r.text[r.at] {
		case '"':
			rest := r.text[begin:r.at]
			r.at++
			if decoded == nil {
				return rest
			}
			return string(append(decoded, rest...))
		case '\\':
			decoded = r.escape(append(decoded, r.text[begin:r.at]...))
			begin = r.at
		default:
			r.at++
		}
	}
}

func (r *jsonReader) escape(out []byte) []byte {
	r.at++ // the backslash
	if r.at == len(r.text) {
		r.fail()
	}
	escaped := strings.IndexByte(`"\/bfnrtu`, r.text[r.at])
	if escaped < 0 {
		r.fail()
	}
	r.at++
	if char := "\"\\/\b\f\n\r\tu"[escaped]; char != 'u' {
		return append(out, char)
	}
	unit := r.hex()
	if 0xD800 <= unit && unit < 0xDC00 && strings.HasPrefix(r.text[r.at:], `\u`) {
		behind := r.at
		r.at += 2
		if low := r.hex(); 0xDC00 <= low && low < 0xE000 {
			return utf8.AppendRune(out, utf16.DecodeRune(unit, low))
		}
		r.at = behind
	}
	return appendUnit(out, unit)
}

// hex reads the four digits of an escape.
func (r *jsonReader) hex() rune {
	if len(r.text)-r.at < 4 {
		r.fail()
	}
	value := rune(0)
	for end := r.at + 4; r.at < end; r.at++ {
		if !isHex(r.text[r.at]) {
			r.fail()
		}
		digit := strings.IndexByte("0123456789abcdef", r.text[r.at]|0x20)
		value = value<<4 | rune(digit)
	}
	return value
}

// appendUnit appends a character, or half of a surrogate pair in three bytes.
func appendUnit(out []byte, unit rune) []byte {
	if utf16.IsSurrogate(unit) {
		return append(out, 0xED, byte(0x80|unit>>6&0x3F), byte(0x80|unit&0x3F))
	}
	return utf8.AppendRune(out, unit)
}

// halfAt gives the lone surrogate that a string has at a place, if it has one there.
func halfAt(text string, at int) (unit rune, isHalf bool) {
	if len(text)-at < 3 || text[at] != 0xED || text[at+1] < 0xA0 {
		return 0, false
	}
	return 0xD000 | rune(text[at+1]&0x3F)<<6 | rune(text[at+2]&0x3F), true
}

// scalars puts U+FFFD in the place of lone surrogates: text that is not inside of JSON has no escapes for them.
func scalars(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if _, isHalf := halfAt(text, i); isHalf {
			out = append(out, "\uFFFD"...)
			i += 2
		} else {
			out = append(out, text[i])
		}
	}
	return string(out)
}

// codeUnits gives the UTF-16 of a string.
func codeUnits(text string) []uint16 {
	var units []uint16
	for i := 0; i < len(text); {
		if unit, isHalf := halfAt(text, i); isHalf {
			units = append(units, uint16(unit))
			i += 3
			continue
		}
		char, size := utf8.DecodeRuneInString(text[i:])
		units = append(units, utf16.Encode([]rune{char})...)
		i += size
	}
	return units
}

// appendJSON writes compact JSON, with the escapes of JSON.stringify (toonui.content.value).
func appendJSON(out []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, value)
	case number:
		return append(out, value...)
	case string:
		return appendJSONString(out, value)
	case []any:
		out = append(out, '[')
		for i, item := range value {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	case *object:
		out = append(out, '{')
		for i, name := range value.names {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendJSONString(out, name), ':')
			out = appendJSON(out, value.values[name])
		}
		return append(out, '}')
	}
	panic(fmt.Sprintf("no JSON value: %T", value))
}

func appendJSONString(out []byte, text string) []byte {
	out = append(out, '"')
	begin := 0 // of what goes out as it is
	for i := 0; i < len(text); i++ {
		c := text[i]
		unit, isHalf := rune(c), false
		if c == 0xED {
			unit, isHalf = halfAt(text, i)
		}
		if c >= ' ' && c != '"' && c != '\\' && !isHalf {
			continue
		}
		out = append(out, text[begin:i]...)
		if short := strings.IndexByte("\"\\\b\f\n\r\t", c); short >= 0 {
			out = append(out, '\\', `"\bfnrt`[short])
		} else {
			out = append(out, fmt.Sprintf(`\u%04x`, unit)...)
		}
		if isHalf {
			i += 2
		}
		begin = i + 1
	}
	return append(append(out, text[begin:]...), '"')
}

// levels says how deep a value nests.
func levels(value any) int {
	deepest := 0
	inside := func(item any) {
		if depth := levels(item); depth > deepest {
			deepest = depth
		}
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			inside(item)
		}
	case *object:
		for _, item := range value.values {
			inside(item)
		}
	default:
		return 0
	}
	return deepest + 1
}

// mapNumbers gives the value with each of its numbers changed.
func mapNumbers(value any, change func(number) any) any {
	switch value := value.(type) {
	case number:
		return change(value)
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = mapNumbers(item, change)
		}
		return list
	case *object:
		changed := newObject()
		for _, name := range value.names {
			changed.set(name, mapNumbers(value.values[name], change))
		}
		return changed
	}
	return value
}

// double gives the nearest one, or an infinity.
func (n number) double() float64 {
	double, _ := strconv.ParseFloat(string(n), 64)
	return double
}

// formatDouble writes as ECMAScript does (toonui.content.numbers).
func formatDouble(double float64) (text string, isFinite bool) {
	sign := ""
	if double < 0 {
		sign, double = "-", -double
	}
	if math.IsInf(double, 0) {
		return sign + "Infinity", false
	}
	if double == 0 {
		return "0", true // negative zero too
	}
	// The fewest digits that give it back, and the power of ten after the first of them.
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(double, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	digits := strings.Replace(mantissa, ".", "", 1)
	switch point := power + 1; { // where the decimal point is among the digits
	case point > 21 || point < -5:
		text = digits[:1]
		if len(digits) > 1 {
			text += "." + digits[1:]
		}
		text += fmt.Sprintf("e%+d", power)
	case point <= 0:
		text = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		text = digits + strings.Repeat("0", point-len(digits))
	default:
		text = digits[:point] + "." + digits[point:]
	}
	return sign + text, true
}
