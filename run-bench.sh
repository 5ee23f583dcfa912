#!/usr/bin/env bash
# Installs system packages, builds yapbench and runs benchmarks: a suite, or the given scenarios.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ./run-bench.sh [--suite NAME] [option ...] [FILE ...]

Builds yapbench and runs the scenarios FILE. A FILE may be a folder of scenarios. Without a FILE it runs the suite:
eight scenarios, about five minutes. Scenarios/README.md lists all scenarios.

The options are those of `yapbench run`, such as

  --suite NAME      another suite: peers is the scenarios of Scenarios/peers on the engines yap, sqlite, grdb, lmdb and
                    rocksdb, about twenty minutes; the build fetches GRDB and needs liblmdb and librocksdb
  --driver NAMES    runs each scenario on several engines and compares them
  --smoke           tests in seconds that everything works; measures nothing
  --out DIR         the folder for the reports (default: Reports/ of this project)
  --seed N          another seed
  --set PATH=VALUE  changes one value of every scenario

Examples:
  ./run-bench.sh
  ./run-bench.sh --smoke
  ./run-bench.sh Scenarios/contrast
  ./run-bench.sh --suite peers             this engine beside SQLite, GRDB, LMDB and RocksDB
  ./run-bench.sh Scenarios                 all scenarios, including an hour of soak
  ./run-bench.sh --set phases.stall.for=2m Scenarios/wal/stalled-reader.yaml

Exit codes of `yapbench run` (and 1 if the setup or the build fails):
  0    everything that was requested passed
  1    internal error, or the engine failed
  2    a comparison found a regression
  3    a comparison or a merge is incomplete, or its sides are not comparable
  4    with --strict: a figure of a comparison is inconclusive or suspect
  64   wrong usage, or a build that is unfit for measurements
  65   a scenario or database is invalid, or a run.json cannot be used
  66   an input file is missing, is not a regular file, or cannot be read
  71   the limit of open files (ulimit -n) is too low; nothing was started
  73   an output folder is missing or cannot be written to
  99   an expectation of the scenario failed
  111  an invariant was violated: wrong data
  113  invalid: generator saturated, machine busy, or too little tested
  130  interrupted; the report covers the time until then
  If several apply, the most severe is returned: 111, 130, 1, 113, 99, 2, 3, 4.
TEXT
}

# Paths in the arguments are relative to the caller's folder, so the script does not change the folder.
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
place=$root
if [ "$PWD" = "$root" ]; then place=.; fi

for argument in "$@"; do
  if [[ $argument == -h || $argument == --help ]]; then
    usage
    exit 0
  fi
done

# The suite `peers` needs other packages and traits. Its build has a folder of its own: another set of traits in the
# same folder would build everything again.
packages=()
traits=()
build=$root/.build
case " $* " in
  *" --suite peers "* | *" --suite=peers "*)
    packages=(--peers)
    traits=(--traits "Jemalloc,GRDB,LMDB,RocksDB")
    build=$root/.build/peers
    ;;
esac

"$root/Scripts/setup" "${packages[@]}"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building yapbench (the first build takes some minutes)" >&2
options=(--package-path "$root" --scratch-path "$build" "${traits[@]}" -c release --product yapbench)
if ! swift build "${options[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "run-bench: the build failed; its output is above" >&2
  exit 1
fi
rm -f "$log"

# Replaces this shell, so that Ctrl-C and signals reach only the program. A later --out replaces this one.
exec "$build/release/yapbench" run --out "$place/Reports" "$@"
