#!/usr/bin/env bash
# Fetches the packages under test, with what they depend on, into a node_modules/ for each major of the SDK, 6/ and 7/.
# They come from the registry that npm is configured to use, and have to be the very ones whose hashes are in the
# package-lock.json there: npm checks that. No script of theirs is run. With the right packages in place, this does
# nothing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# What the adapter opens by name.
files=(ai/package.json zod/index.js)

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

# is_fetched FOLDER: what the lock of the folder names is there. Beside it lies a copy of the lock by which it was
# fetched, written last; without it, or with another one, something is missing or old.
is_fetched() {
    local file
    for file in "${files[@]}"; do
        [[ -s $1/node_modules/$file ]] || return 1
    done
    cmp -s "$1/package-lock.json" "$1/node_modules/.fetched-by.json"
}

for major in 6 7; do
    folder=$here/$major
    lock=$folder/package-lock.json
    [[ -f $lock ]] || fail "expected the file $lock, which says what to fetch, but it is not there"
    if is_fetched "$folder"; then
        continue
    fi
    command -v npm >/dev/null ||
        fail "expected npm on the path, to fetch what package-lock.json names, but it is not there"

    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null) ||
        fail "npm could not fetch what $major/package-lock.json names; what it said is above"
    cp "$lock" "$folder/node_modules/.fetched-by.json"
    is_fetched "$folder" ||
        fail "expected the files ${files[*]} in $folder/node_modules after npm had fetched them, but found others"
    echo "fetch.sh: what $major/package-lock.json names is in $folder/node_modules"
done
