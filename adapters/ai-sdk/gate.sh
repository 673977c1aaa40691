#!/usr/bin/env bash
# The gate over the published SDK, in each of its majors, and what must make it red: no baseline, an entry without its
# reason, an entry for something that passes. `genui-conform` has to be on the path, or named as the first argument.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

conform=${1:-genui-conform}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect CODE WORDS ARGUMENTS..: the run ends with this exit code and says these words, however many blanks are between
# them, and no answer was an error: the SDK throws only to refuse, or where the contract leaves the case unspecified.
expect() {
    local code=$1 words=$2 found=0
    shift 2
    "$conform" run "$@" -- node adapter.mjs "$major" >"$work/report.txt" 2>&1 || found=$?
    if [ "$found" -ne "$code" ] || ! tr -s ' ' <"$work/report.txt" | grep -F -e "$words" >"$work/lines.txt" ||
        grep -q '^ *ERROR ' "$work/report.txt"; then
        tail -n 40 "$work/report.txt"
        echo "gate.sh: expected exit code $code, \`$words\` and no error, but found exit code $found: major $major, run $*"
        exit 1
    fi
    echo "major $major, exit code $code, \`$words\`: run $*"
}

for major in 6 7; do
    known=$major/baseline.toml
    file=string
    if [ "$major" = 7 ]; then file=object; fi

    expect 1 "FAIL glossen/data-names/to-string" 'glossen/**' --no-derived --max-failures all
    expect 1 "glossen.validate.order not-enforced" 'glossen/**' --no-derived --max-failures all
    expect 1 "glossen.model.file $file" 'glossen/**' --no-derived --max-failures all
    expect 0 "conformant in part: " 'glossen/**' --baseline "$known"
    # A stale entry is only reported where all cases run, so there is no filter here. Unsupported methods
    # are not sent.
    expect 0 "conformant in part: " --baseline "$known"

    sed '0,/^reason = .*/s//reason = ""/' "$known" >"$work/emptied.toml"
    expect 2 "expected \`reason\`" --no-derived --baseline "$work/emptied.toml"

    {
        cat "$known"
        printf '\n[[known]]\ncases = "glossen/text/empty"\nverdict = "fail"\nreason = "It passes."\n'
    } >"$work/stale.toml"
    expect 1 "no longer fails; remove this entry" --no-derived --baseline "$work/stale.toml"
done
