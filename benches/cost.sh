#!/usr/bin/env bash
# Shows that --cost tells quadratic from proportional: a reader that takes end lines out one after the other is warned of
# on the two cases about end lines and on no other, and three sound implementations are not warned of at all. It looks at a
# clock, so it is no test; run it on a machine that is not too busy.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release --quiet
# Prints the cases that NAME is warned of, given its command.
warned() {
    target/release/genui-conform run --cost topic:cost -- "$@" | awk '$1 == "WARN" { print $2 }'
}

failed=0
expect() {
    local expected=$1 found
    shift
    found=$(warned "$@" | paste -sd ' ' -)
    if [ "$found" = "$expected" ]; then
        echo "ok     $*: ${found:-no warning}"
    else
        echo "WRONG  $*: expected ${expected:-no warning}, but found ${found:-no warning}"
        failed=1
    fi
}
expect "openui/cost/end-lines openui/cost/streaming-end-lines" python3 tests/adapters/quadratic.py
expect "" target/release/genui-conform serve
expect "" python3 adapters/python/adapter.py
expect "" node adapters/javascript/adapter.mjs
exit $failed
