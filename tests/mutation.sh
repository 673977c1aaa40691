#!/usr/bin/env bash
# Mutation testing of the reference itself: cargo-mutants changes one thing after the other in crates/openui/src and runs the
# tests of the rules (.cargo/mutants.toml lists them). Each change has to be caught, or to be listed in
# tests/mutation.txt with the reason why it is equivalent to the original. Takes about half an hour on two cores.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

command -v cargo-mutants >/dev/null || { echo "expected cargo-mutants: cargo install cargo-mutants --locked"; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Snapshots are compared and not written, and generated messages are the same every time.
CI=true INSTA_UPDATE=no PROPTEST_RNG_SEED=1 cargo mutants --package genui-openui --jobs 2 --output "$out" "$@" || true
test -s "$out/mutants.out/outcomes.json" || { echo "cargo-mutants did not come to its end"; exit 2; }

# Listed changes are identified by file and change, since lines move.
named() { sed -E 's/^([^:]+):[0-9]+:[0-9]+: /\1: /' "$1" | sort; }
listed() { grep -v '^[[:space:]#]' tests/mutation.txt | grep . | sort; }
for outcome in caught missed timeout unviable; do
    printf '%s %s\n' "$(wc -l <"$out/mutants.out/$outcome.txt")" "$outcome"
done
# The same change may be listed for several places: each line represents one.
unlisted=$(comm -23 <(named "$out/mutants.out/missed.txt") <(listed))
gone=$(comm -13 <(named "$out/mutants.out/missed.txt") <(listed))
if [ -n "$unlisted" ]; then printf 'not caught and not listed:\n%s\n' "$unlisted"; fi
if [ -n "$gone" ]; then printf 'listed, but caught or gone:\n%s\n' "$gone"; fi
test -z "$unlisted$gone"
