#!/usr/bin/env bash
# Fetches the reader under test into package/, beside this file: of the npm package, its own tarball and nothing else.
# `npm install` would bring all that the package depends on, 247 MB of which the reader imports nothing. The tarball
# comes from the registry that npm is configured to use, and has to be the very one whose hash is in package.sha512.
# With the right files in package/, this does nothing.
set -euo pipefail

name=@openuidev/react-ui
version=0.12.1
tarball=openuidev-react-ui-$version.tgz
# The reader; what makes Node.js read it as a module, and has the version; the licence that goes with a copy.
files=(package/dist/utils/sentinelParser.js package/package.json package/LICENSE)

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hashes=$here/package.sha512

fail() {
    echo "fetch.sh: $1" >&2
    exit 1
}

# Linux has the first of these, macOS the second.
if command -v sha512sum >/dev/null; then
    sum=(sha512sum)
elif command -v shasum >/dev/null; then
    sum=(shasum -a 512)
else
    fail "expected sha512sum or shasum on the path, to check what was fetched, but found neither"
fi

expected() {
    local hash
    hash=$(awk -v file="$1" '$2 == file { print $1 }' "$hashes")
    [[ -n $hash ]] || fail "expected a line for $1 in $hashes, but found none"
    echo "$hash"
}

found() {
    "${sum[@]}" <"$1" | cut -d ' ' -f 1
}

# check FOLDER FILE: the file in the folder is the one whose hash is committed.
check() {
    local want have
    want=$(expected "$2")
    [[ -f $1/$2 ]] || fail "expected the file $1/$2, but it is not there"
    have=$(found "$1/$2")
    [[ $have == "$want" ]] || fail "$1/$2: expected the sha512 $want (package.sha512), but found $have"
}

is_fetched() {
    local file
    for file in "${files[@]}"; do
        (check "$here" "$file") 2>/dev/null || return 1
    done
}

if is_fetched; then
    exit 0
fi
command -v npm >/dev/null || fail "expected npm on the path, to fetch $name@$version, but it is not there"

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
npm pack "$name@$version" --ignore-scripts --loglevel error --pack-destination "$temporary" >/dev/null ||
    fail "npm could not fetch $name@$version; what it said is above"
check "$temporary" "$tarball"
tar -xzf "$temporary/$tarball" -C "$temporary" "${files[@]}"
for file in "${files[@]}"; do
    check "$temporary" "$file"
done
rm -rf "$here/package"
mv "$temporary/package" "$here/package"
echo "fetch.sh: $name $version is in $here/package"
