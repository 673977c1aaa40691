// An adapter for genui-conform with one gap: let `parse` call your reader. Node.js 20, no packages.
//
//     genui-conform run --no-derived topic:plain-text -- node starter.mjs

// Standard output is for answers alone. What anything else prints from here on goes to standard error.
const send = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// const reader = await import("your-reader"); // A plain import would run, and might print, before the lines above.

/** FILL IN: read the message `raw` with your reader; `async` is fine. For now the whole message is content. */
function parse(raw, streaming) {
  // Streaming, more of `raw` may come. If your reader can return the shown part so far, do that, and omit nothing.
  if (streaming) throw new Refusal({ code: 2, message: "no streaming", data: { reason: "reads whole messages only" } });
  return { content: raw, context: null, attributes: {}, end: false };
}

// The supported methods, from params to result. To support more, add them here, such as
//   "openui.build": ({ content, context, ... }) => ({ message: yourWriter.build(content, context, ...) }),
const METHODS = {
  "openui.parse": ({ raw, streaming }) => parse(raw, streaming ?? false),
};

const HANDSHAKE = {
  protocol: 1,
  implementation: { name: "my-reader", version: "0.1.0", language: "JavaScript" },
  methods: Object.keys(METHODS),
  // Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. If your
  // reader supports several, list them all and follow the params of initialize.
  profiles: ["core"],
  // Missing features of your reader: "streaming", "attributes" or "end". Remove those that it has.
  omits: ["streaming"],
  // choices: { "openui.read.stale-end": "ignored" }, // Your choices on open points; the suite infers missing ones.
};

/** An error that is not a fault: code 2 for an unsupported method, code 1 with a kind that a case may expect. */
class Refusal {
  constructor(error) {
    this.error = error;
  }
}

/** JSON.stringify writes null for NaN, and leaves functions out: a fault must not be lost so. An infinity may be null. */
function onlyJson(name, value) {
  if (Number.isNaN(value) || ["function", "symbol"].includes(typeof value)) throw new TypeError(`no JSON: ${String(value)}`);
  return value;
}

async function answer(line) {
  let id = null;
  const reply = (outcome) => send(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome }, onlyJson)}\n`);
  try {
    const request = JSON.parse(line);
    id = request.id;
    const { method, params } = request;
    if (method === "initialize") return reply({ result: HANDSHAKE });
    if (!Object.hasOwn(METHODS, method)) throw new Refusal({ code: -32601, message: `no method ${method}` });
    reply({ result: (await METHODS[method](params)) ?? null }); // A member that is undefined would not be written.
  } catch (why) { // It costs one case. To crash would cost the process too.
    reply({ error: why instanceof Refusal ? why.error : { code: -32603, message: String(why) } });
  }
}

let begun = ""; // a line whose LF has not come
for await (const chunk of process.stdin.setEncoding("utf8")) {
  const [first, ...others] = chunk.split("\n");
  const lines = [begun + first, ...others];
  begun = lines.pop();
  for (const line of lines) await answer(line);
}
if (begun !== "") await answer(begun);
