internal import BenchResults

extension PerformanceTarget {
  /// The targets of the harness. H4 is the scenario `Scenarios/selftest/memory.yaml`, and H6 are the drivers' targets.
  static let harness: [PerformanceTarget] = [
    PerformanceTarget(.harness(1), "an operation of a closed load on a driver that does nothing") {
      Row(
        word: "null",
        what: "an operation without a database: two readings of the clock and all else",
        limit: nil,
        unit: .nanoseconds
      )
      Row(
        word: "instructions",
        what: "instructions of an operation without a database",
        limit: .atMost(1_350),
        countedOperations: 20_000
      )
    },
    PerformanceTarget(.harness(2), "the lateness of a free worker at 10,000 arrivals per second") {
      Row(word: "p99", what: "p99 of the lateness", limit: .atMost(20_000), unit: .nanoseconds)
      Row(word: "p999", what: "p99.9 of the lateness", limit: .atMost(100_000), unit: .nanoseconds)
    },
    PerformanceTarget(.harness(3), "ten samples per second") {
      Row(word: "sampling", what: "sampling: share of the processors' time", limit: .atMost(0.01))
    },
    PerformanceTarget(.harness(5), "the checks of answers in a closed load of cached reads") {
      Row(word: "checks", what: "cached reads: a transaction with checks / without", limit: .atMost(1.1))
    },
    PerformanceTarget(.harness(7), "the start of a run without rows") {
      Row(
        word: "start",
        what: "start of the program to the first phase of a run",
        limit: .atMost(100_000_000),
        unit: .nanoseconds,
        need: .runs
      )
    },
    PerformanceTarget(.harness(8), "loading rows of 512 bytes") {
      Row(word: "load", what: "loading: speed, harness with the engine / raw", limit: .atLeast(0.9))
    },
  ]
}
