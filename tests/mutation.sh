#!/usr/bin/env bash
# Mutation testing of the reference by the suite alone: cargo-mutants changes one thing after the other in the format crates, and
# the cases, the derived checks and the sample have to catch it. What they miss has to be in tests/mutation.txt, with the
# reason why no judged answer changes. Arguments go to cargo-mutants, such as `--file crates/toonui/src/read.rs`.
#
# A first pass runs the cases alone, which take seconds; a second one runs the rest of the suite on what they missed. Takes about
# two hours on two idle cores.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || { echo "expected cargo-mutants: cargo install cargo-mutants --locked"; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Snapshots are compared and not written, and the first failure ends a test.
export CI=true INSTA_UPDATE=no GENUI_CONFORM_FAIL_FAST=1
pass() {
    cargo mutants --jobs 2 --no-shuffle --output "$out" --iterate "$@" || true
    test -s "$out/mutants.out/outcomes.json" || { echo "cargo-mutants did not come to its end"; exit 2; }
    for outcome in caught missed timeout unviable; do
        printf '%s %s\n' "$(wc -l <"$out/mutants.out/$outcome.txt")" "$outcome"
    done
}
echo "== cases"
pass --cargo-test-arg=--skip=derived:: --cargo-test-arg=--skip=sampled:: "$@"
echo "== derived checks and sampled requests, on what the cases missed"
pass "$@"

# Listed changes are identified by file and change, since lines move.
named() { sed -E 's/^([^:]+):[0-9]+:[0-9]+: /\1: /' "$1" | sort; }
listed() { grep -v '^[[:space:]#]' tests/mutation.txt | grep . | sort; }
# The same change may be listed for several places: each line represents one.
unlisted=$(comm -23 <(named "$out/mutants.out/missed.txt") <(listed))
if [ -n "$unlisted" ]; then printf 'not caught and not listed:\n%s\n' "$unlisted"; fi
if [ "$#" -eq 0 ]; then
    gone=$(comm -13 <(named "$out/mutants.out/missed.txt") <(listed))
    if [ -n "$gone" ]; then printf 'listed, but caught or gone:\n%s\n' "$gone"; fi
fi
test -z "$unlisted${gone:-}"
