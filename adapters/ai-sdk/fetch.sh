#!/usr/bin/env bash
# Fetches the packages under test, with what they depend on, into node_modules/, beside this file. They come from the
# registry that npm is configured to use, and have to be the very ones whose hashes are in package-lock.json: npm
# checks that. No script of theirs is run. With the right packages in node_modules/, this does nothing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
modules=$here/node_modules
lock=$here/package-lock.json
# What was fetched by: a copy of the lock, written last. Without it, or with another one, something is missing or old.
fetched=$modules/.fetched-by.json
# What the adapter opens by name.
files=(ai/package.json ai/dist/index.mjs zod/index.js)

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

is_fetched() {
    local file
    for file in "${files[@]}"; do
        [[ -s $modules/$file ]] || return 1
    done
    cmp -s "$lock" "$fetched"
}

[[ -f $lock ]] || fail "expected the file $lock, which says what to fetch, but it is not there"
if is_fetched; then
    exit 0
fi
command -v npm >/dev/null || fail "expected npm on the path, to fetch what package-lock.json names, but it is not there"

(cd "$here" && npm ci --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null) ||
    fail "npm could not fetch what package-lock.json names; what it said is above"
cp "$lock" "$fetched"
is_fetched || fail "expected the files ${files[*]} in $modules after npm had fetched them, but found others"
echo "fetch.sh: what package-lock.json names is in $modules"
