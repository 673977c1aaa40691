/**
 * The reader of the react-ui chat, as it is published: `separateContentAndContext` of the npm package
 * `@openuidev/react-ui`. `fetch.sh` fetches it. It needs Node.js 20 or newer.
 *
 *     ./fetch.sh
 *     genui-conform run --profile chat -- node adapter.mjs
 *
 * Nothing is repaired here. What the reader gives is put into the form of the protocol, and a part that it does not
 * give is left out.
 */

import { readFile } from "node:fs/promises";

const PACKAGE = new URL("package/", import.meta.url);

/** The package, or an end with a word on how to get it. */
async function load() {
  try {
    const { name, version } = JSON.parse(await readFile(new URL("package.json", PACKAGE), "utf8"));
    const { separateContentAndContext } = await import(new URL("dist/utils/sentinelParser.js", PACKAGE));
    return { name, version, read: separateContentAndContext };
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    process.stderr.write(`${error.message}\nthe package under test is missing: run adapters/react-ui/fetch.sh first\n`);
    process.exit(1);
  }
}

const reader = await load();

const METHODS = {
  initialize: () => ({
    protocol: 1,
    implementation: { name: reader.name, version: reader.version, language: "JavaScript" },
    methods: ["openui.parse"],
    // It is the reader of that chat, and has no switch: it always reads the older envelope, which `core` and
    // `line-start` have as plain text, and takes markers wherever they occur, of which `line-start` is the opposite.
    profiles: ["chat"],
    // The chat calls the same function while a message arrives as it does for a stored one, and cannot say which of
    // the two it has: there is one reading, the whole one. Why it gives no attributes is said below.
    omits: ["streaming", "attributes"],
  }),

  "openui.parse": ({ raw }) => {
    // Beside these three, the reader gives `contentHeader`: the content marker's line as written. Nothing in the
    // package parses it; the chat only puts it back before the content it stores. To decode it here would be
    // to test this file, so there are no attributes.
    const { content, contextString, end } = reader.read(raw);
    return { content, context: contextString === null ? null : contextOf(contextString), end };
  },
};

/**
 * The reader leaves the context as text, and who shows a message parses it: the chat's components for turns of the
 * assistant and of the user both call JSON.parse on all of the text, so its doubles are what the chat has. Where that
 * throws, the text is what there is. What they do next is no reading: each picks from the value the part that it
 * shows. A number beyond every double is Infinity to the chat and null in an answer, since JSON has no Infinity; the
 * suite only records what comes of such a number (openui.context.limits).
 */
function contextOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// ---- The protocol ----------------------------------------------------------------------------------------------

class ProtocolError extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

function answer(line) {
  const { id, method, params } = JSON.parse(line);
  try {
    if (!Object.hasOwn(METHODS, method)) throw new ProtocolError(-32601, `no method ${method}`);
    return JSON.stringify({ jsonrpc: "2.0", id, result: METHODS[method](params) });
  } catch (error) {
    const { code, message, data } = error instanceof ProtocolError ? error : { code: -32603, message: String(error) };
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
  }
}

// Lines are cut at LF alone. The module node:readline would cut them at U+2028 too, which JSON allows in a string.
process.stdin.setEncoding("utf8");
let begun = "";
for await (const chunk of process.stdin) {
  const lines = (begun + chunk).split("\n");
  begun = lines.pop();
  for (const line of lines) {
    if (line.trim() !== "") process.stdout.write(`${answer(line)}\n`);
  }
}
