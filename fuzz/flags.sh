# Sourced by run.sh: what cargo-fuzz gives rustc for coverage, without a sanitizer, so that a stable compiler does. With
# --target, these flags do not reach build scripts and macros, which could not be linked with them.
export RUSTFLAGS="-Cpasses=sancov-module \
-Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares \
-Cllvm-args=-simplifycfg-branch-fold-threshold=0 \
-Ccodegen-units=1 --cfg fuzzing ${RUSTFLAGS-}"
