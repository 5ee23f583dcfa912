#!/usr/bin/env bash
# Installs system packages, builds yapbench and runs benchmarks: the suite below, or the given scenarios.
set -euo pipefail

# The scenarios that run without arguments, about five minutes in total.
suite=(
  policy/three-policies.yaml
  wal/stalled-reader.yaml
  wal/sixty-hertz.yaml
  contrast/one-connection-or-two.yaml
  write/write-burst.yaml
  views/sorted-list.yaml
  concurrency/transfers.yaml
  trouble/random-operations.yaml
)

# The engines of `--suite peers`. The first is the one that the others are compared with.
peers=yap,sqlite,grdb,lmdb,rocksdb

suites() {
  cat <<'TEXT'
default   eight scenarios of the engine, about five minutes
peers     the scenarios of Scenarios/peers on the engines yap, sqlite, grdb, lmdb and rocksdb, about twenty minutes;
          the build fetches GRDB and needs liblmdb and librocksdb
TEXT
}

usage() {
  cat <<'TEXT'
usage: ./run-bench.sh [--suite NAME] [option ...] [FILE ...]

Builds yapbench and runs the scenarios FILE. A FILE may be a folder of scenarios. Without a FILE it runs the suite:
eight scenarios, about five minutes. Scenarios/README.md lists all scenarios.

  --suite NAME      another suite; without a NAME, lists the suites

The other options are those of `yapbench run`, such as

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

# An argument that is neither an option nor the value of an option is a file.
suite_name=default
arguments=()
has_files=false
has_out=false
has_drivers=false
expects_value=false
expects_suite=false
only_files=false
for argument in "$@"; do
  if $expects_suite; then
    expects_suite=false
    if [[ $argument != -* ]]; then
      suite_name=$argument
      continue
    fi
  fi
  if $only_files; then
    has_files=true
  elif $expects_value; then
    expects_value=false
  else
    case $argument in
      -h | --help)
        usage
        exit 0
        ;;
      --) only_files=true ;;
      --suite)
        expects_suite=true
        suite_name=
        continue
        ;;
      --suite=*)
        suite_name=${argument#*=}
        continue
        ;;
      --driver)
        has_drivers=true
        expects_value=true
        ;;
      --driver=*) has_drivers=true ;;
      --out)
        has_out=true
        expects_value=true
        ;;
      --out=*) has_out=true ;;
      # The other options of `yapbench run` that take a value.
      --seed | --set | --only | --tag | --retry-invalid | --data-dir | --shard) expects_value=true ;;
      -*) ;;
      *) has_files=true ;;
    esac
  fi
  arguments+=("$argument")
done

# The suite's files, the packages of its build, and the folder of its build: another set of traits in the same folder
# would build everything again.
case $suite_name in
  default)
    files=("${suite[@]}")
    packages=()
    build=$root/.build
    traits=()
    ;;
  peers)
    files=(peers)
    packages=(--peers)
    build=$root/.build/peers
    traits=(--traits "Jemalloc,GRDB,LMDB,RocksDB")
    if ! $has_drivers; then arguments=(--driver "$peers" "${arguments[@]}"); fi
    ;;
  "")
    suites
    exit 0
    ;;
  *)
    echo "run-bench: there is no suite \"$suite_name\"; expected one of" >&2
    suites >&2
    exit 64
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

if ! $has_files; then
  paths=()
  for file in "${files[@]}"; do paths+=("$place/Scenarios/$file"); done
  arguments=("${paths[@]}" "${arguments[@]}")
fi
if ! $has_out; then arguments=(--out "$place/Reports" "${arguments[@]}"); fi
# Replaces this shell, so that Ctrl-C and signals reach only the program.
exec "$build/release/yapbench" run "${arguments[@]}"
