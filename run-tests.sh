#!/usr/bin/env bash
# Sets up, builds and runs every test. Arguments go to `swift test`, such as: ./run-tests.sh --filter YapEngineTests
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

case ${1:-} in
  -h | --help)
    cat <<'TEXT'
usage: ./run-tests.sh [argument of `swift test` ...]

Builds and runs every test, or those that are asked for:
  ./run-tests.sh
  ./run-tests.sh --filter YapEngineTests
TEXT
    exit 0
    ;;
esac

Scripts/setup

# The interleavings need the engine's named points, which no other build has.
traits=(--traits "Jemalloc,TestPoints")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building the tests (the first build takes some minutes)" >&2
if ! swift build --build-tests "${traits[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "run-tests: the build failed; its output stands above" >&2
  exit 1
fi
built=$SECONDS

status=0
swift test --skip-build "${traits[@]}" "$@" 2>&1 | tee "$log" || status=$?

# Swift Testing ends with: Test run with 52 tests in 11 suites passed after 0.874 seconds.
counts=$(sed -n 's/^.*Test run with \([0-9]* tests\{0,1\} in [0-9]* suites\{0,1\} [a-z]*\).*$/\1/p' "$log" | tail -n 1)
# What failed is said once more at the end, where it is looked for first.
if [ "$status" -ne 0 ]; then
  echo
  grep -E '^✘|Fatal error|: Sanitizer' "$log" | cut -c 1-1000 | tail -n 40 || true
  echo
fi
time="building took $built s, testing $((SECONDS - built)) s"
if [ -n "$counts" ]; then
  echo "tests: $counts; $time"
else
  echo "tests: none were counted (exit $status); $time"
fi
exit "$status"
