#!/usr/bin/env bash
# Builds every fuzz target on the stable compiler, replays what is kept for it, and runs it for SECONDS (default 10). As
# many targets run at once as there are cores.
#
#     bash fuzz/run.sh [SECONDS] [TARGET..]
#     bash fuzz/run.sh --build
#
# The seed is printed; FUZZ_SEED=N runs from N. What libFuzzer finds worth keeping goes into fuzz/corpus/TARGET, which is
# not committed. With `--build`, it builds and runs nothing. Ends with 1 if something is found, and says where the input is.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-10}
shift || true
if [ $# -gt 0 ]; then
    targets=("$@")
else
    mapfile -t targets < <(cd fuzz/fuzz_targets && printf '%s\n' *.rs | sed 's/\.rs$//')
fi
seed=${FUZZ_SEED:-$((RANDOM * 32768 + RANDOM + 1))}

# The words of the target's format; what reads lines and files knows those of OpenUI too.
dictionary() { case $1 in toonui_*) echo fuzz/toonui.dict ;; glossen_*) echo fuzz/glossen.dict ;; *) echo fuzz/openui.dict ;; esac; }

host=$(rustc --print host-tuple)
(
    . fuzz/flags.sh
    cargo build --quiet --locked --release --target "$host" --manifest-path fuzz/Cargo.toml
)
if [ "$seconds" = --build ]; then exit; fi

# Replays and runs one target. Prints a line, or what was found; returns 1 if something was found.
run_target() {
    local target=$1
    local program=fuzz/target/$host/release/$target
    local kept=(fuzz/seeds/"$target" fuzz/regressions/"$target")
    mkdir -p fuzz/corpus/"$target" fuzz/artifacts/"$target"
    local log=fuzz/artifacts/$target.log
    local arguments=(-artifact_prefix="fuzz/artifacts/$target/" -timeout=10 -print_final_stats=1)
    local files
    files=$(find "${kept[@]}" -type f | wc -l)
    # Files instead of folders: libFuzzer runs each as it is and ends.
    if find "${kept[@]}" -type f -print0 | xargs -0 "$program" "${arguments[@]}" >"$log" 2>&1 &&
        "$program" -seed="$seed" -max_total_time="$seconds" -max_len=4096 -dict="$(dictionary "$target")" "${arguments[@]}" \
            fuzz/corpus/"$target" "${kept[@]}" >"$log" 2>&1; then
        awk -v target="$target" -v files="$files" -v seed="$seed" '
            /^stat::number_of_executed_units/ { runs = $2 }
            /^stat::average_exec_per_sec/ { rate = $2 }
            END { printf "%-18s %4d files replayed, %9d runs from seed %d, %6d a second, nothing found\n", \
                target, files, runs, seed, rate }' "$log"
        return 0
    fi
    # A kept file that fails is the last one that was run; what is new has been written. Without either, libFuzzer
    # was interrupted, or did not start.
    local input
    input=$(sed -n -e 's/^Running: //p' -e 's/.*Test unit written to //p' "$log" | tail -n 1)
    if grep -q 'ERROR: libFuzzer' "$log" && [ -n "$input" ]; then
        printf '%s: FOUND something, from seed %s\n' "$target" "$seed"
        grep -E -A 3 'panicked at|ERROR: libFuzzer: (timeout|out-of-memory)' "$log" | cut -c 1-300 | head -n 8 || true
        printf '    the input:    %s\n    what it said: %s\n    run it again: %s %s\n' "$input" "$log" "$program" "$input"
    else
        printf '%s: did not come to its end\n' "$target"
        tail -n 3 "$log" | cut -c 1-300
    fi
    return 1
}

# Each target prints into a file of its own, so that the lines of two do not mix.
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT
for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    (run_target "$target" >"$printed/$target" 2>&1 || touch "$printed/$target.found") &
done
wait

found=0
for target in "${targets[@]}"; do
    cat "$printed/$target"
    if [ -e "$printed/$target.found" ]; then found=1; fi
done
exit $found
