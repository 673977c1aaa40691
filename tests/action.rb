# Runs the steps of action.yml as GitHub does: inputs with their defaults, environments, outputs and summaries in files.
# `ruby tests/action.rb`, from the root of the repository.

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

def run_action(with, folder)
  unknown = with.keys - ACTION["inputs"].keys
  raise "inputs that are not there: #{unknown}" unless unknown.empty?

  inputs = ACTION["inputs"].to_h { |name, input| [name, with.fetch(name, input["default"])] }
  outputs = {}
  code = 0
  log = +""
  summary = File.join(folder, "summary")
  ACTION["runs"]["steps"].each do |step|
    raise "expected bash as shell of #{step["name"]}" unless step["shell"] == "bash"

    file = File.join(folder, "output-#{step["id"]}")
    File.write(file, "")
    env = (step["env"] || {}).transform_values { |value| expand(value, inputs, outputs) }
    env.update("GITHUB_OUTPUT" => file, "GITHUB_STEP_SUMMARY" => summary)
    # As GitHub starts it: -e, -o pipefail, and the script from a file.
    script = File.join(folder, "step.sh")
    File.write(script, expand(step["run"], inputs, outputs))
    said, status = Open3.capture2e(env, "bash", "--noprofile", "--norc", "-eo", "pipefail", script, chdir: folder)
    log << said
    outputs[step["id"]] = File.readlines(file, chomp: true).to_h { |line| line.split("=", 2) }
    code = status.exitstatus
    break unless code.zero?
  end
  declared = ACTION["outputs"].transform_values { |output| expand(output["value"], inputs, outputs) }
  Run.new(code, declared, File.exist?(summary) ? File.read(summary) : "", log, folder)
end

def check(name, with)
  Dir.mktmpdir do |folder|
    run = run_action(with, folder)
    problem = yield run
    abort "action.yml, #{name}: #{problem}\n#{run.log.lines.last(20).join}" if problem
    puts "action.yml, #{name}: exit code #{run.code}, #{run.outputs.slice("conformant", "failing")}"
  end
end

def problem_unless(right, what)
  right ? nil : "expected #{what}"
end

whole = "python3 #{ROOT}/tests/adapters/whole.py"
plain = "--no-derived"

check("the reference", { "filters" => "topic:context", "arguments" => plain }) do |run|
  badge = JSON.parse(File.read(File.join(run.folder, run.outputs["badge"])))
  page = File.read(File.join(run.folder, run.outputs["html"]))
  problem_unless(run.code.zero? && run.outputs["conformant"] == "true" && run.outputs["failing"] == "0", "a green gate") ||
    problem_unless(run.summary.include?("## genui-conform") && page.start_with?("<!doctype html>"), "reports") ||
    problem_unless(badge["schemaVersion"] == 1 && badge["message"].start_with?("conformant"), "a green badge: #{badge}")
end

check("a wrong reader", { "command" => whole, "filters" => "topic:context", "arguments" => plain }) do |run|
  problem_unless(run.code == 1 && run.outputs["conformant"] == "false" && run.outputs["failing"].to_i > 3, "a red gate") ||
    problem_unless(run.summary.include?("NOT conformant"), "a summary that says so")
end

check("a wrong reader that may fail", { "command" => whole, "arguments" => plain, "fail" => "false" }) do |run|
  problem_unless(run.code.zero? && run.outputs["exit-code"] == "1", "a green step over a red gate")
end

check("no adapter", { "command" => "no-such-program", "fail" => "false", "arguments" => plain }) do |run|
  problem_unless(run.code == 3, "exit code 3, whatever may fail")
end

check("a baseline that is not there", { "baseline" => "none.toml" }) do |run|
  problem_unless(run.code == 2, "exit code 2")
end
