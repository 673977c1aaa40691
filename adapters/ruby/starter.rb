# frozen_string_literal: true

# An adapter for genui-conform with one gap: let `parse` call your reader. Ruby 3.1, standard library only.
#
#     genui-conform run --no-derived topic:plain-text -- ruby starter.rb

require "json"

# Standard output is for answers alone. What anything else prints from here on, on require too, goes to standard error.
ANSWERS = $stdout.dup.binmode
$stdout.reopen($stderr)

# require "your_reader"

# FILL IN: read the message `raw` with your reader. For now the whole message is content.
def parse(raw, streaming)
  # Streaming, more of `raw` may come. If your reader can return the shown part so far, do that, and omit nothing.
  raise Refusal, { code: 2, message: "no streaming", data: { reason: "reads whole messages only" } } if streaming

  { content: raw, context: nil, attributes: {}, end: false }
end

# The supported methods, from params to result. To support more, add them here, such as
#   "openui.build" => ->(params) { { message: YourWriter.build(params["content"], params["context"], ...) } },
METHODS = {
  "openui.parse" => ->(params) { parse(params.fetch("raw"), params["streaming"] || false) },
}.freeze

HANDSHAKE = {
  protocol: 1,
  implementation: { name: "my-reader", version: "0.1.0", language: "Ruby" },
  methods: METHODS.keys,
  # Or "chat", with the older envelope, or "line-start", where markers in mid-line are text. If your
  # reader supports several, list them all and follow the params of initialize.
  profiles: ["core"],
  # Missing features of your reader: "streaming", "attributes" or "end". Remove those that it has.
  omits: ["streaming"],
  # choices: { "openui.read.stale-end" => "ignored" }, # Your choices on open points; the suite infers missing ones.
}.freeze

# An error that is not a fault: code 2 for an unsupported method, code 1 with a kind that a case may expect.
class Refusal < StandardError
  attr_reader :error

  def initialize(error)
    super(error[:message])
    @error = error
  end
end

def answer(line)
  id = nil
  request = JSON.parse(line, max_nesting: 1_000) # Beyond 100 levels, JSON refuses by default.
  id, method = request.values_at("id", "method")
  return reply(id, result: HANDSHAKE) if method == "initialize"

  call = METHODS.fetch(method) { raise Refusal, { code: -32601, message: "no method #{method}" } }
  reply(id, result: call.(request["params"]))
rescue Refusal => why
  reply(id, error: why.error)
rescue StandardError, ScriptError, SystemStackError => why # It costs one case. To crash would cost the process too.
  reply(id, error: { code: -32603, message: why.inspect.scrub })
end

def reply(id, outcome)
  JSON.generate({ jsonrpc: "2.0", id: id, **sendable(outcome) }, max_nesting: 1_000, ascii_only: true)
end

# JSON has no infinity. A reader that made one of 1e400 answers with an integer beyond every Float.
def sendable(value)
  case value
  when Hash then value.transform_values { |member| sendable(member) }
  when Array then value.map { |item| sendable(item) }
  when Float::INFINITY then 10**400
  when -Float::INFINITY then -(10**400)
  else value
  end
end

$stdin.binmode.each_line do |line| # Bytes in and ASCII out, whatever the locale.
  ANSWERS.write(answer(line.force_encoding("UTF-8")), "\n")
  ANSWERS.flush
end
