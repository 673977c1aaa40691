#!/usr/bin/env bash
# The gate over the published reader, and what must make it red: no baseline, an entry without its reason, an entry for
# something that passes. `genui-conform` has to be on the path, or named as the first argument.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

conform=${1:-genui-conform}
known=baseline.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect CODE WORDS FLAGS..: the run ends with this exit code and says these words.
expect() {
    local code=$1 words=$2 found=0
    shift 2
    "$conform" run --profile chat "$@" -- node adapter.mjs >"$work/report.txt" 2>&1 || found=$?
    if [ "$found" -ne "$code" ] || ! grep -qF -e "$words" "$work/report.txt"; then
        tail -n 40 "$work/report.txt"
        echo "gate.sh: expected exit code $code and \`$words\`, but found exit code $found: run --profile chat $*"
        exit 1
    fi
    echo "exit code $code, \`$words\`: run --profile chat $*"
}

expect 1 "FAIL openui/mid-line/end-marker" --no-derived --max-failures all
expect 1 "FAIL openui/plain-text/half-a-prefix-at-the-end" --no-derived --max-failures all
expect 0 "conformant in part: " --baseline "$known"

sed '0,/^reason = .*/s//reason = ""/' "$known" >"$work/emptied.toml"
expect 2 "expected \`reason\`" --no-derived --baseline "$work/emptied.toml"

{
    cat "$known"
    printf '\n[[known]]\ncases = "openui/plain-text/empty"\nverdict = "fail"\nreason = "It passes."\n'
} >"$work/stale.toml"
expect 1 "no longer fails; remove this entry" --no-derived --baseline "$work/stale.toml"
