// An adapter for genui-conform with one gap: let parse call your reader. Go 1.19, standard library only.
//
//	genui-conform run --no-derived topic:plain-text -- go run starter.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
)

type object = map[string]any

// parse is to FILL IN: read the message raw with your reader. For now the whole message is content.
func parse(raw string, streaming bool) (any, error) {
	if streaming { // More of raw may come. If your reader can return the shown part so far, do that, and omit nothing.
		return nil, refusal{"code": 2, "message": "no streaming", "data": object{"reason": "reads whole messages only"}}
	}
	return object{"content": raw, "context": nil, "attributes": object{}, "end": false}, nil
}

// methods has the supported methods, from params to result. To support more, add them here. Best keep a context as a
// json.RawMessage, or read with Decoder.UseNumber: a float64 cannot represent every number.
var methods = map[string]func(params map[string]json.RawMessage) (any, error){
	"openui.parse": func(params map[string]json.RawMessage) (any, error) {
		var raw string
		var streaming bool // absent or null, it stays false
		for name, target := range map[string]any{"raw": &raw, "streaming": &streaming} {
			if text, given := params[name]; given {
				if err := json.Unmarshal(text, target); err != nil {
					return nil, err
				}
			}
		}
		return parse(raw, streaming)
	},
}

var handshake = object{
	"protocol":       1,
	"implementation": object{"name": "my-reader", "version": "0.1.0", "language": "Go"},
	"methods":        []string{"openui.parse"},
	// Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. If your
	// reader supports several, list them all and follow the params of initialize.
	"profiles": []string{"core"},
	// Missing features of your reader: "streaming", "attributes" or "end". Remove those that it has.
	"omits": []string{"streaming"},
	// "choices": object{"openui.read.stale-end": "ignored"}, // Your choices on open points; the suite infers missing ones.
}

// refusal is an error that is not a fault: code 2 for an unsupported method, code 1 with a kind that a case may expect.
type refusal object

func (r refusal) Error() string { return fmt.Sprint(r["message"]) }

func main() {
	answers := os.Stdout
	os.Stdout = os.Stderr // Standard output is for answers alone. What anything else prints goes to standard error.
	for requests := bufio.NewReader(os.Stdin); ; {
		line, err := requests.ReadBytes('\n') // A bufio.Scanner would give up on a long line.
		if len(line) > 0 {
			answers.Write(append(answer(line), '\n'))
		}
		if err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
	}
}

func answer(line []byte) (reply []byte) {
	outcome := object{"jsonrpc": "2.0", "id": nil}
	defer func() { // A panic costs one case. To crash would cost the process too.
		if why := recover(); why != nil {
			outcome["error"] = object{"code": -32603, "message": fmt.Sprint(why)}
			delete(outcome, "result")
			reply, _ = json.Marshal(outcome)
		}
	}()
	var request struct {
		ID     json.RawMessage
		Method string
		Params map[string]json.RawMessage
	}
	err := json.Unmarshal(line, &request)
	outcome["id"] = request.ID
	method, offered := methods[request.Method]
	switch {
	case err != nil:
	case request.Method == "initialize":
		outcome["result"] = handshake
	case !offered:
		err = refusal{"code": -32601, "message": "no method " + request.Method}
	default:
		outcome["result"], err = method(request.Params)
	}
	if refused, is := err.(refusal); is {
		delete(outcome, "result")
		outcome["error"] = refused
	} else if err != nil {
		panic(err)
	}
	if reply, err = json.Marshal(outcome); err != nil {
		panic(err)
	}
	return reply
}
