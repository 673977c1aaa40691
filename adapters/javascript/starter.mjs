// An adapter for genui-conform with one gap: let `parse` call your reader. Node.js 20, no packages.
//
//     genui-conform run --no-derived topic:plain-text -- node starter.mjs

// Standard output is for answers alone. What anything else prints from here on goes to standard error.
const send = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// const reader = await import("your-reader"); // A plain import would run, and might print, before the lines above.

/** FILL IN: read the message `raw` with your reader; `async` is fine. As it stands, the whole message is content. */
function parse(raw, streaming) {
  // Streaming, more of `raw` may come. If your reader can say what shows of it so far, return that, and omit nothing.
  if (streaming) throw new Refusal({ code: 2, message: "no streaming", data: { reason: "reads whole messages only" } });
  return { content: raw, context: null, attributes: {}, end: false };
}

// What you offer, from params to result. To offer more, add it here, such as
//   "openui.build": ({ content, context, ... }) => ({ message: yourWriter.build(content, context, ...) }),
const METHODS = {
  "openui.parse": ({ raw, streaming }) => parse(raw, streaming ?? false),
};

const HANDSHAKE = {
  protocol: 1,
  implementation: { name: "my-reader", version: "0.1.0", language: "JavaScript" },
  methods: Object.keys(METHODS),
  // Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. Whoever can follow
  // several lists them all, and does as the params of initialize say.
  profiles: ["core"],
  // What your reader does not have: "streaming", "attributes" or "end". Take out what it has.
  omits: ["streaming"],
  // choices: { "openui.read.stale-end": "ignored" }, // What you do on open points. Left out, it is found by asking.
};

/** An error that is no fault: code 2 for what you do not offer, code 1 with a kind where a case may expect it. */
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
