#!/usr/bin/env bash
# Builds the fuzz targets into $OUT, each with its dictionary, its options and its seeds. The service sets OUT, SRC,
# FUZZING_ENGINE and SANITIZER; by hand, OUT is enough:
#
#     OUT=$(mktemp -d) SANITIZER=none bash .clusterfuzzlite/build.sh
#
# SANITIZER=none builds on the stable compiler, everything else needs nightly.
set -euo pipefail

: "${OUT:?expected the folder into which the targets go}"
if [ "${FUZZING_ENGINE:-libfuzzer}" != libfuzzer ]; then
    echo "expected FUZZING_ENGINE=libfuzzer, but found $FUZZING_ENGINE" >&2
    exit 2
fi
if [ -d "${SRC:-}/genui-conform" ]; then
    cd "$SRC/genui-conform"
else
    cd "$(dirname "$0")/.."
fi

# For coverage, and for sanitizers that it gives flags for itself, the service's own cargo knows what to do.
flags=()
case ${SANITIZER:-address} in
none | address) flags=(--sanitizer "${SANITIZER:-address}") ;;
esac
cargo fuzz build -O "${flags[@]}"

built=${CARGO_TARGET_DIR:-fuzz/target}/$(rustc --print host-tuple)/release
for source in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$source" .rs)
    cp "$built/$target" "$OUT/"
    case $target in toonui_*) words=toonui ;; glossen_*) words=glossen ;; *) words=openui ;; esac
    cp "fuzz/$words.dict" "$OUT/$target.dict"
    printf '[libfuzzer]\nmax_len = 4096\n' >"$OUT/$target.options"
    rm -f "$OUT/${target}_seed_corpus.zip"
    (cd fuzz && zip -qr - "seeds/$target" "regressions/$target") >"$OUT/${target}_seed_corpus.zip"
done
