#!/usr/bin/env bash
# Installs system packages, then builds and runs the tests. See --help.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

case ${1:-} in
  -h | --help)
    cat <<'TEXT'
usage: ./run-tests.sh [--all | argument of `swift test` ...]

Builds and runs the tests:
  ./run-tests.sh                            without the longest ones, and with fewer random operations
  ./run-tests.sh --all                      every test
  ./run-tests.sh --filter YapEngineTests    the selected ones
TEXT
    exit 0
    ;;
esac

Scripts/setup --peers

. Scripts/lib/test-traits
traits=(--traits "$test_traits")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building the tests (the first build takes some minutes)" >&2
# SwiftPM passes the names of the traits in a random order, and another order causes a complete rebuild.
if ! SWIFT_DETERMINISTIC_HASHING=1 swift build --build-tests "${traits[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  echo "run-tests: the build failed; its output is above" >&2
  exit 1
fi
echo "built in $SECONDS s" >&2
if [ $# -eq 0 ]; then export YAP_SKIP_LONG_TESTS=1 YAP_TEST_SCALE="${YAP_TEST_SCALE:-3}"; fi
if [ "${1:---all}" = --all ]; then set -- --by-target; fi
Scripts/swift-test "$@" --skip-build "${traits[@]}"
