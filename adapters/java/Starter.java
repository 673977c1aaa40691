import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * An adapter for genui-conform with one gap: let {@link #parse} call your reader. JDK 17 and nothing else.
 *
 * <pre>genui-conform run --no-derived topic:plain-text -- java -cp your-reader.jar Starter.java</pre>
 */
public final class Starter {
    /** FILL IN: read the message {@code raw} with your reader. For now the whole message is content. */
    static Object parse(String raw, boolean streaming) throws Exception {
        // Streaming, more of raw may come. If your reader can return the shown part so far, do that, and omit nothing.
        if (streaming) {
            throw new Refusal(object(
                    "code", 2, "message", "no streaming", "data", object("reason", "reads whole messages only")));
        }
        // A context is anything that Json can write. Json.read is there for a reader that leaves it as text.
        return object("content", raw, "context", null, "attributes", Map.of(), "end", false);
    }

    // The supported methods, from params to result. To support more, add them here, such as
    //   "openui.build", params -> object("message", YourWriter.build((String) params.get("content"), ...))
    static final Map<String, Method> METHODS = Map.of(
            "openui.parse", params -> parse((String) params.get("raw"), Boolean.TRUE.equals(params.get("streaming"))));

    static final Map<String, Object> HANDSHAKE = object(
            "protocol", 1,
            "implementation", object("name", "my-reader", "version", "0.1.0", "language", "Java"),
            "methods", METHODS.keySet(),
            // What your reader does not have: "streaming", "attributes" or "end". Take out what it has.
            "omits", List.of("streaming"),
            // "choices", object("openui.read.stale-end", "ignored"), // What you do on open points, or it is found out.
            // Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. If your
            // reader supports several, list them all and follow the params of initialize.
            "profiles", List.of("core"));

    interface Method {
        Object call(Map<?, ?> params) throws Exception;
    }

    /** An error that is not a fault: code 2 for an unsupported method, code 1 with a kind that a case may expect. */
    static final class Refusal extends Exception {
        final Map<String, Object> error;

        Refusal(Map<String, Object> error) {
            this.error = error;
        }
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err); // Standard output is for answers alone, whatever else prints.
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = requests.readLine()) != null; ) {
            answers.writeBytes((answer(line) + "\n").getBytes(StandardCharsets.UTF_8));
            answers.flush();
        }
    }

    static String answer(String line) {
        Object id = null;
        try {
            Map<?, ?> request = (Map<?, ?>) Json.read(line);
            id = request.get("id");
            String method = (String) request.get("method");
            if (method.equals("initialize")) return reply(id, "result", HANDSHAKE);
            if (!METHODS.containsKey(method)) {
                return reply(id, "error", object("code", -32601, "message", "no method " + method));
            }
            return reply(id, "result", METHODS.get(method).call((Map<?, ?>) request.get("params")));
        } catch (Refusal refusal) {
            return reply(id, "error", refusal.error);
        } catch (Throwable why) { // It costs one case. To crash would cost the process too.
            return reply(id, "error", object("code", -32603, "message", why.toString()));
        }
    }

    static String reply(Object id, String member, Object value) {
        return Json.write(object("jsonrpc", "2.0", "id", id, member, value), new StringBuilder()).toString();
    }

    /** Map.of for values that may be null, in this order. */
    static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }
}

/** JSON as Map, List, String, Boolean, null and {@link Num}. Members keep their order; what is no JSON throws. */
final class Json {
    /** A number keeps its text, since a double cannot represent every one. */
    record Num(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skip(' '); // any white space
        if (json.at < text.length()) throw json.unexpected();
        return value;
    }

    private Object value() {
        if (skip('{')) {
            Map<String, Object> object = new LinkedHashMap<>();
            for (boolean more = !skip('}'); more; more = another('}')) {
                need('"');
                String name = string();
                need(':');
                object.put(name, value());
            }
            return object;
        }
        if (skip('[')) {
            List<Object> list = new ArrayList<>();
            for (boolean more = !skip(']'); more; more = another(']')) {
                list.add(value());
            }
            return list;
        }
        if (skip('"')) return string();
        int start = at;
        while (at < text.length() && " \t\r\n,]}".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(start, at);
        if (word.equals("null")) return null;
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        if (word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) return new Num(word);
        throw unexpected();
    }

    /** The rest of a string, after its first quotation mark. */
    private String string() {
        StringBuilder string = new StringBuilder();
        while (true) {
            char unit = text.charAt(at++);
            if (unit == '"') return string.toString();
            if (unit < ' ') throw unexpected();
            if (unit == '\\') {
                int escape = "\"\\/bfnrtu".indexOf(text.charAt(at++));
                if (escape < 0) throw unexpected();
                unit = "\"\\/\b\f\n\r\tu".charAt(escape);
                if (unit == 'u') unit = (char) HexFormat.fromHexDigits(text, at, at += 4); // perhaps a lone surrogate
            }
            string.append(unit);
        }
    }

    private boolean another(char bracket) {
        if (skip(bracket)) return false;
        need(',');
        return true;
    }

    private void need(char token) {
        if (!skip(token)) throw unexpected();
    }

    /** Whether the token comes next, after white space; if so, it is consumed. */
    private boolean skip(char token) {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        boolean there = at < text.length() && text.charAt(at) == token;
        if (there) at++;
        return there;
    }

    private RuntimeException unexpected() {
        return new IllegalArgumentException("no JSON, as of character " + at);
    }

    /**
     * Anything but maps, collections and strings is written as its toString: numbers, or trees of a JSON library. JSON
     * has no infinity: a reader that made one of 1e400 answers with a number beyond every double.
     */
    static StringBuilder write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> object) {
            String separator = "";
            out.append('{');
            for (Map.Entry<?, ?> member : object.entrySet()) {
                write(member.getKey(), out.append(separator));
                write(member.getValue(), out.append(':'));
                separator = ",";
            }
            return out.append('}');
        }
        if (value instanceof Collection<?> list) {
            String separator = "";
            out.append('[');
            for (Object item : list) {
                write(item, out.append(separator));
                separator = ",";
            }
            return out.append(']');
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number)) throw new IllegalArgumentException("NaN is no JSON");
            if (Double.isInfinite(number)) return out.append(number > 0 ? "1e999" : "-1e999");
        }
        if (!(value instanceof String string)) return out.append(value);
        out.append('"');
        for (char unit : string.toCharArray()) {
            if (unit == '"' || unit == '\\') {
                out.append('\\').append(unit);
            } else if (unit < ' ' || Character.isSurrogate(unit)) { // a lone one is not to be had in UTF-8
                out.append("\\u").append(HexFormat.of().toHexDigits(unit));
            } else {
                out.append(unit);
            }
        }
        return out.append('"');
    }
}
