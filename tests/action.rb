# Runs the steps of action.yml as GitHub does: inputs with their defaults, environments, outputs and summaries in files.
# `ruby tests/action.rb`, from the root of the repository.

require "fileutils"
require "json"
require "open3"
require "tmpdir"
require "yaml"

ROOT = File.expand_path("..", __dir__)
ACTION = YAML.safe_load_file(File.join(ROOT, "action.yml"))

Run = Struct.new(:code, :outputs, :summary, :log, :folder)

# Replaces `${{ inputs.x }}` and the like; an expression of another kind is an error.
def expand(text, inputs, outputs)
  text.to_s.gsub(/\$\{\{\s*(.*?)\s*\}\}/) do
    case $1
    when /\Ainputs\.([\w-]+)\z/ then inputs.fetch($1)
    when "github.action_path" then ROOT
    when /\Asteps\.([\w-]+)\.outputs\.([\w-]+)\z/ then outputs.fetch($1, {}).fetch($2)
    else raise "an expression that this test does not know: #{$1}"
    end
  end
end

# Runs the steps in a folder. A block gets the process id of the last one while it runs.
def run_action(with, folder)
  unknown = with.keys - ACTION["inputs"].keys
  raise "inputs that are not there: #{unknown}" unless unknown.empty?

  inputs = ACTION["inputs"].to_h { |name, input| [name, with.fetch(name, input["default"])] }
  outputs = {}
  code = 0
  log = +""
  summary = File.join(folder, "summary")
  ACTION["runs"]["steps"].each do |step|
    # Another program than the one that would be built.
    next if ENV["GATE_ALONE"] && step["id"].nil?
    raise "expected bash as shell of #{step["name"]}" unless step["shell"] == "bash"

    file = File.join(folder, "output-#{step["id"]}")
    File.write(file, "")
    env = (step["env"] || {}).transform_values { |value| expand(value, inputs, outputs) }
    env.update("GITHUB_OUTPUT" => file, "GITHUB_STEP_SUMMARY" => summary, "GITHUB_ACTIONS" => "true")
    # As GitHub starts it: -e, -o pipefail, and the script from a file.
    script = File.join(folder, "step.sh")
    File.write(script, expand(step["run"], inputs, outputs))
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script]
    status = Open3.popen2e(env, *shell, chdir: folder) do |_, said, process|
      yield process.pid if block_given? && step.equal?(ACTION["runs"]["steps"].last)
      log << said.read
      process.value
    end
    outputs[step["id"]] = outputs_in(file)
    code = status.exitstatus
    break unless code.zero?
  end
  declared = ACTION["outputs"].transform_values { |output| expand(output["value"], inputs, outputs) }
  Run.new(code, declared, File.exist?(summary) ? File.read(summary) : "", log, folder)
end

# The outputs that a step wrote, each on a line of its own and once.
def outputs_in(file)
  pairs = File.readlines(file, chomp: true).map { |line| line.split("=", 2) }
  are_pairs = pairs.all? { |pair| pair.size == 2 }
  raise "outputs that are no pairs, or written twice: #{pairs}" unless are_pairs && pairs.map(&:first).uniq!.nil?

  unknown = pairs.map(&:first) - ACTION["outputs"].keys
  raise "undeclared outputs: #{unknown}" unless unknown.empty?
  pairs.to_h
end

# Runs the steps, in a folder with these files, and ends the test where the block finds a problem.
def check(name, with, files: {}, signal: nil)
  Dir.mktmpdir do |folder|
    files.each do |file, text|
      FileUtils.mkdir_p(File.dirname(File.join(folder, file)))
      File.write(File.join(folder, file), text)
    end
    interrupt = signal && lambda do |pid|
      tries = (1..300).find { sleep(0.1) && File.exist?(File.join(folder, "started")) }
      abort "action.yml, #{name}: expected the adapter to be started within 30 s" unless tries
      Process.kill(signal, pid)
    end
    run = run_action(with, folder, &interrupt)
    problem = yield run
    abort "action.yml, #{name}: #{problem}\n#{run.log.lines.last(20).join}" if problem
    puts "action.yml, #{name}: exit code #{run.code}, #{run.outputs.slice("conformant", "failing")}"
  end
end

def problem_unless(right, what)
  right ? nil : "expected #{what}"
end

whole = "python3 #{ROOT}/tests/adapters/whole.py"
right = "#{ROOT}/adapters/python/adapter.py"
plain = "--no-derived"
few = { "filters" => "topic:context", "arguments" => plain }
# What an earlier step left: a report that would be green, and one that has 2 failures.
green = { "conformant" => true, "complete" => true, "verdict" => "conformant", "cases" => [], "derived" => [] }
red = green.merge("conformant" => false, "cases" => [{ "fails" => true }, { "fails" => true }])
stale = { "genui-conform/report.json" => JSON.generate(green), "genui-conform/page.html" => "earlier" }

def green?(run)
  run.code.zero? && run.outputs["conformant"] == "true" && run.outputs["exit-code"] == "0" && run.outputs["failing"] == "0"
end

# No word of conformance, no report, and nothing that GitHub would take for an output of the action.
def refused?(run, code)
  run.code == code && run.outputs == {
    "conformant" => "false", "verdict" => "none", "failing" => "0", "exit-code" => code.to_s,
    "html" => "", "json" => "", "junit" => "", "badge" => "",
  }
end

check("the reference", few) do |run|
  badge = JSON.parse(File.read(File.join(run.folder, run.outputs["badge"])))
  page = File.read(File.join(run.folder, run.outputs["html"]))
  problem_unless(green?(run), "a green gate") ||
    problem_unless(run.summary.include?("## genui-conform") && page.start_with?("<!doctype html>"), "reports") ||
    problem_unless(badge["schemaVersion"] == 1 && badge["message"].start_with?("conformant"), "a green badge: #{badge}")
end

check("a wrong reader", few.merge("command" => whole)) do |run|
  problem_unless(run.code == 1 && run.outputs["conformant"] == "false" && run.outputs["failing"].to_i > 3, "a red gate") ||
    problem_unless(run.outputs["verdict"] == "not-conformant", "a verdict that says so") ||
    problem_unless(run.summary.include?("NOT conformant"), "a summary that says so") ||
    problem_unless(run.log.match?(/^::stop-commands::(\h+)\n.*NOT conformant.*^::\1::$/m), "a report without commands")
end

check("a wrong reader that may fail", few.merge("command" => whole, "fail" => "false")) do |run|
  problem_unless(run.code.zero? && run.outputs["exit-code"] == "1", "a green step over a red gate") ||
    problem_unless(run.outputs["conformant"] == "false", "no word of conformance")
end

check("no adapter", { "command" => "no-such-program", "fail" => "false", "arguments" => plain }) do |run|
  problem_unless(run.code == 3, "exit code 3, whatever may fail")
end

check("a baseline that is not there", { "baseline" => "none.toml" }) do |run|
  problem_unless(run.code == 2, "exit code 2")
end

# Commands, as people write them. The adapter leaves a file, wherever it is started.
{
  "after cd" => "cd sub && python3 adapter.py",
  "after a variable" => "A=1 python3 sub/adapter.py",
  "in several lines" => "cd sub\npython3 \\\n  adapter.py\n",
  "with quotes" => "python3 'sub/adapter.py' \"\"",
  "after a pipe" => "cat | python3 sub/adapter.py | cat",
}.each do |name, command|
  files = { "sub/adapter.py" => "open('ran', 'w').close()\nexec(open(#{right.dump}).read())\n" }
  check("a command #{name}", few.merge("command" => command), files: files) do |run|
    ran = Dir.glob(File.join(run.folder, "**", "ran")).any?
    problem_unless(green?(run) && ran, "a green gate over the adapter")
  end
end

# A command that ends, or that no shell takes, is an adapter that cannot be used.
tells = "echo conformant=true >>\"$GITHUB_OUTPUT\""
nothing = ["-x", "--help", "--version", "-- true", "exit 0", "true", "# nothing", "cd none\npython3 #{right}", "'", tells]
nothing.each do |command|
  check("the command #{command.inspect}", few.merge("command" => command, "fail" => "false"), files: stale) do |run|
    problem_unless(run.code == 3 && run.outputs["conformant"] == "false", "exit code 3") ||
      problem_unless(run.outputs["exit-code"] == "3" && run.outputs["failing"] == "0", "outputs that say so")
  end
end

# Inputs that are usage errors, whatever may fail and whatever files exist from before.
wrong = [
  ["filters", "--help"], ["filters", "--version"], ["filters", "-h"], ["filters", "topic:context --no-derived"],
  ["filters", "-- python3 #{right}"], ["filters", "topic:context\n--help"], ["filters", "topic:context -- true"],
  ["arguments", "--help"], ["arguments", "-h"], ["arguments", "--version"], ["arguments", "-V"], ["arguments", "--"],
  ["arguments", "-- python3 #{right}"], ["arguments", "--no-derived\n--help"], ["arguments", "topic:context"],
  ["arguments", "--no-derived serve"], ["arguments", "--fail-on"], ["arguments", "--fail-on nothing"],
  ["arguments", "--fail-on --help"], ["arguments", "--choice --help"], ["arguments", "'--no-derived"],
  ["arguments", "--no-derived=--help"], ["arguments", "--profile chat"], ["arguments", "--baseline=known.toml"],
  ["arguments", "--report json=other.json"], ["arguments", "--horoscope"],
  ["arguments", "--failed genui-conform/report.json"],
  ["profile", "--help"], ["profile", "-h"], ["profile", ""], ["profile", "Core"], ["profile", "core --help"],
  ["baseline", "--x"], ["baseline", "--help"], ["baseline", " "],
  ["command", " "], ["command", "\n"],
  ["reports", ""], ["reports", " "], ["reports", "a\nconformant=true"], ["reports", "a\rconformant=true"],
  ["reports", "a\nx<<EOF\n1\nEOF"], ["reports", "file"],
  ["fail", "True"], ["fail", "yes"], ["fail", "no"], ["fail", ""], ["fail", "False"], ["fail", "1"], ["fail", "true\n"],
]
wrong.each do |input, value|
  with = few.merge("fail" => "false", input => value)
  check("#{input}: #{value.inspect}", with, files: stale.merge("file" => "")) do |run|
    problem_unless(refused?(run, 2), "exit code 2 and no report, but found #{run.outputs}") ||
      problem_unless(run.log.match?(/expected|needs|error|has an input/), "a word on what is wrong")
  end
end

# Words that a shell would change, and folders that look like flags, are what they are.
check("globs", few.merge("filters" => "openui/context/*\n  openui/end/*"), files: { "openui/context/none" => "" }) do |run|
  ids = JSON.parse(File.read(File.join(run.folder, run.outputs["json"])))["cases"].map { |item| item["id"] }
  problem_unless(green?(run) && ids.any? && ids.all? { |id| id.start_with?("openui/") }, "cases of OpenUI, but found #{ids}")
end

check("a folder like a flag", few.merge("reports" => "--help = $(touch b) x")) do |run|
  there = File.exist?(File.join(run.folder, "--help = $(touch b) x", "report.json"))
  problem_unless(green?(run) && there && !File.exist?(File.join(run.folder, "b")), "reports in it")
end

flags = "--no-derived --jobs=1\n--timeout '20s' --trace --help"
check("flags with values", few.merge("arguments" => flags, "command" => "python3 #{right}")) do |run|
  problem_unless(green?(run) && File.size?(File.join(run.folder, "--help")), "a green gate, and a trace")
end

# An earlier report is ignored, whatever it says.
[["nothing ran", { "filters" => "topic:none-of-that-name" }], ["no adapter", { "command" => "none" }]].each do |name, with|
  [green, red].each do |report|
    files = { "genui-conform/report.json" => JSON.generate(report) }
    check("a stale report where #{name}", with.merge("fail" => "false"), files: files) do |run|
      problem_unless([2, 3, 4].include?(run.code) && run.outputs["conformant"] == "false", "a red gate") ||
        problem_unless(refused?(run, run.code), "nothing of it, but found #{run.outputs}")
    end
  end
end

# What a report says of itself decides.
Dir.mktmpdir do |target|
  FileUtils.mkdir_p(File.join(target, "release"))
  program = File.join(target, "release", "genui-conform")
  File.write(program, <<~SHELL)
    #!/bin/bash
    for word; do case $word in --report=json=*) [ -z "$SAYS" ] || printf '%s' "$SAYS" >"${word#--report=json=}";; esac; done
    exit "$ENDS"
  SHELL
  File.chmod(0o755, program)
  written = ->(changes) { JSON.generate(green.merge(changes)) }
  old = JSON.generate(green.reject { |name, _| name == "verdict" })
  failed = JSON.generate(red.reject { |name, _| name == "verdict" })
  [
    ["a verdict", written.({}), 0, 0, "true", "conformant"],
    ["a verdict in part", written.({ "verdict" => "in-part" }), 0, 0, "true", "in-part"],
    ["a verdict in part against the rest", written.({ "verdict" => "in-part", "conformant" => false }), 0, 0, "false", "in-part"],
    ["no verdict", written.({ "verdict" => "none", "conformant" => false }), 0, 0, "false", "none"],
    ["no verdict against the rest", written.({ "verdict" => "none" }), 0, 0, "false", "none"],
    ["a verdict against the exit code", written.({ "verdict" => "not-conformant" }), 0, 1, "false", "not-conformant"],
    ["an unknown verdict", written.({ "verdict" => "a\nconformant=true" }), 0, 1, "false", "not-conformant"],
    ["an exit code against the verdict", written.({}), 1, 1, "false", "conformant"],
    ["a report of before there were verdicts", old, 0, 0, "true", "conformant"],
    ["a red report of before there were verdicts", failed, 1, 1, "false", "not-conformant"],
    ["half a report", written.({})[..20], 0, 2, "false", "none"],
    ["a report that is none", "[]", 0, 2, "false", "none"],
    ["no report", "", 0, 2, "false", "none"],
    ["a failure without a report", "", 1, 1, "false", "none"],
  ].each do |name, says, ends, code, conformant, verdict|
    environment = { "SAYS" => says, "ENDS" => ends.to_s, "CARGO_TARGET_DIR" => target, "GATE_ALONE" => "yes" }
    saved = environment.to_h { |variable, _| [variable, ENV[variable]] }
    environment.each { |variable, value| ENV[variable] = value }
    check(name, {}, files: stale) do |run|
      found = [run.code, run.outputs["conformant"], run.outputs["verdict"]]
      problem_unless(found == [code, conformant, verdict], "#{[code, conformant, verdict]}, but found #{found}")
    end
    saved.each { |variable, value| ENV[variable] = value }
  end
end

# A signal to the step ends the run, and nothing is called conformant.
silent = "touch started; exec python3 -c 'import time; time.sleep(60)'"
{ "INT" => [130], "TERM" => [130, 143], "HUP" => [129, 130] }.each do |signal, codes|
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  check("SIG#{signal}", few.merge("command" => silent, "fail" => "false"), files: stale, signal: signal) do |run|
    took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
    problem_unless(codes.include?(run.code) && run.outputs["conformant"] == "false", "a run that ends with one of #{codes}") ||
      problem_unless(took < 20, "an end at once, but it took #{took} s")
  end
end

# The flags that `arguments` takes, and those that an input represents, are all that a run has.
help, = Open3.capture2(File.join(ENV["CARGO_TARGET_DIR"] || "#{ROOT}/target", "release", "genui-conform"), "run", "--help")
known = File.read("#{ROOT}/action.py").scan(/"(--[a-z-]+)"/).flatten.uniq
unknown = help.scan(/^ +(?:-\w, )?(--[a-z-]+)/).flatten.uniq - known
abort "action.py: expected every flag of a run to be named, but these are not: #{unknown}" unless unknown.empty?
