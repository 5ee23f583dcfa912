internal import BenchDrivers
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import CRawSQLite
internal import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics
internal import ThreadingPrimitives

/// H1 and further: the costs of the harness. Its figures come from scenarios that it runs, as `yapbench run` does.
enum HarnessCosts: BenchmarkFamily {
  static let targets = Set([1, 2, 3, 5, 7, 8].map(TargetName.harness))
  /// The actor of a closed load of one thread.
  private static let loop = "actors: {loop: {connection: only, operations: {get: 1}, collection: rows}}"

  static func run(on bench: Workbench) throws {
    let idle = "engine: {driver: null}, dataset: {rows: {rows: 1000, value: {size: 64B}}}"
    let cached = """
      engine: {driver: yap, synchronous: off}, dataset: {rows: {rows: 1000, value: {size: 256B}}},
      connections: {only: {objectCacheLimit: 1000}}
      """
    try bench.measure(
      "a closed load on a driver that does nothing",
      closed(ContestantName.harness, on: bench, "\(idle), connections: {only: {}}"),
      as: ClaimID(.harness(1), "null")
    )
    try bench.measure(
      "a closed load on a driver that does nothing, by operations",
      Contestant(ContestantName.harness, .fixed(1)) { operations in
        _ = try run("\(idle), connections: {only: {}}, \(loop)", end: "operations: \(operations)", on: bench)
        return .nan
      },
      as: .instructions(.harness(1))
    )
    try bench.measure(
      "cached reads with and without checks",
      [
        closed(ContestantName.checked, on: bench, "\(cached), invariants: [knownAnswers]"),
        closed(ContestantName.unchecked, on: bench, cached),
      ],
      answers: [ClaimID(.harness(5), "checks"): .ratio(of: ContestantName.checked, to: ContestantName.unchecked)]
    )
    try measureLateness(on: bench, idle)
    try bench.measure(
      "ten samples per second",
      Contestant(ContestantName.harness, .fixed(1)) { _ in
        let result = try run("\(cached), \(loop)", end: bench.second, on: bench, measuresHarness: true)
        return (result.harness.lookingShare ?? .nan) / Double(ProcessInfo.processInfo.activeProcessorCount)
      },
      as: ClaimID(.harness(3), "sampling"),
      unit: .number
    )
    try measureStart(on: bench)
    try measureLoading(on: bench)
  }

  /// The open load of H2. Each figure is a percentile of the lateness in a run of its own.
  private static func measureLateness(on bench: Workbench, _ settings: String) throws {
    for (word, percentile) in [("p99", 99.0), ("p999", 99.9)] {
      try bench.measure(
        "the \(word) of the lateness at 10,000 arrivals per second",
        Contestant(ContestantName.harness, .fixed(1)) { _ in
          let result = try run(
            """
            \(settings), connections: {only: {}},
            actors: {loop: {connection: only, operations: {get: 1}, collection: rows, load: {rate: 10000/s}}}
            """,
            end: bench.second,
            on: bench
          )
          return Double(result.phases[0].actors[0].lateness.value(atPercentile: percentile))
        },
        as: ClaimID(.harness(2), word)
      )
    }
  }

  /// The start of the program and of a run. The program reports the beginning of the phase.
  private static func measureStart(on bench: Workbench) throws {
    if DriverBuild.hasTestPoints { return }
    try bench.measure(
      "the start of a run without rows",
      Contestant(ContestantName.harness, .fixed(1)) { _ in
        let folder = bench.files.newPath("start")
        defer { StoreFiles.remove(folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let scenario = """
          {format: 1, name: start, summary: The start of a run, seed: 1, connections: {only: {}},
          actors: {loop: {connection: only, operations: {empty: 1}}},
          phases: [{name: run, for: 20ms, actors: [loop]}]}
          """
        try Data(scenario.utf8).write(to: URL(fileURLWithPath: folder + "/start.yaml"))
        return try Double(
          timeUntil(
            "\"phaseBegan\"",
            of: ["run", folder + "/start.yaml", "--out", folder + "/out", "--json-progress"]
          )
        )
      },
      as: ClaimID(.harness(7), "start")
    )
  }

  /// Runs this program to its end.
  /// - Returns: the nanoseconds from its start until it had written a word to standard error.
  /// - Throws: `failed` if it never wrote it, or failed for another reason than other load on the machine.
  private static func timeUntil(_ word: String, of arguments: [String]) throws -> UInt64 {
    var text: [UInt8] = []
    var time: UInt64?
    let begun = MonotonicClock.now
    let end = try ChildProcess.run(EngineProcess.Program.this.path, arguments) { stream, bytes in
      guard stream == .errors else { return }
      text += bytes
      if time == nil, String(decoding: text, as: UTF8.self).contains(word) { time = MonotonicClock.now - begun }
    }
    let ends = [ExitStatus.passed, .measurementInvalid].map(\.rawValue)
    guard let time, ends.contains(end.exitCode) else {
      throw BenchmarkError(
        .failed,
        "\(arguments[0]) failed: \(String(decoding: text.suffix(500), as: UTF8.self))"
      )
    }
    return time
  }

  /// The dataset of H8, loaded by the harness, and by the loop in C into YapDatabase's table.
  private static func measureLoading(on bench: Workbench) throws {
    guard bench.isRequested(.harness(8)) else { return }
    let rows = bench.scale.loadedRows
    let dataset = Dataset(rows: rows, valueBytes: 512, seed: 1)
    try bench.measure(
      "loading \(rows) rows of 512 bytes",
      [
        Contestant(ContestantName.harness, .fixed(rows)) { _ in
          let result = try run(
            """
            engine: {driver: yap, synchronous: off}, dataset: {rows: {rows: \(rows), value: {size: 512B}}},
            connections: {only: {}}, \(loop)
            """,
            end: "for: 1ms",
            on: bench
          )
          return Double(result.loadNanoseconds ?? 0) / Double(rows)
        },
        Contestant(ContestantName.raw, .fixed(rows)) { _ in
          let path = bench.files.newPath("loaded")
          let store = try RawStore(path: path, layout: CRAW_ORIGINAL, dataset: dataset)
          defer {
            store.close()
            StoreFiles.remove(path)
          }
          let begun = MonotonicClock.now
          try store.load()
          try store.checkpoint()
          return Double(MonotonicClock.now - begun) / Double(rows)
        },
      ],
      answers: [ClaimID(.harness(8), "load"): .ratio(of: ContestantName.raw, to: ContestantName.harness)]
    )
  }

  /// A contestant that runs a closed load of one thread. The figure is nanoseconds per transaction.
  private static func closed(_ name: String, on bench: Workbench, _ settings: String) -> Contestant {
    Contestant(name, .fixed(1)) { _ in
      let result = try run("\(settings), \(loop)", end: bench.second, on: bench)
      let phase = result.phases[0]
      return Double(phase.durationNanoseconds) / Double(max(phase.actors[0].begunArrivals, 1))
    }
  }

  /// Runs a scenario with one phase, on a database that is removed.
  /// - Parameters:
  ///   - settings: The scenario's keys except for the phases, with the actor `loop`.
  ///   - end: The key that ends the phase.
  /// - Throws: `disturbed` if other load makes the figures meaningless.
  private static func run(
    _ settings: String,
    end: String,
    on bench: Workbench,
    measuresHarness: Bool = false
  ) throws -> RunResult {
    let folder = bench.files.newPath("scenario")
    defer { StoreFiles.remove(folder) }
    let loaded = try ScenarioLoader.load(
      text: """
        {format: 1, name: harness, summary: The cost of the harness, seed: 1, \(settings),
        phases: [{name: run, \(end), actors: [loop]}]}
        """
    )
    var options = RunOptions(dataFolder: folder)
    options.measuresHarness = measuresHarness
    let result = try ScenarioRun.perform(loaded, options: options)
    guard result.verdict.exitCode == .passed, let run = result.runs.first else {
      let code: BenchmarkError.Code = result.verdict.exitCode == .measurementInvalid ? .disturbed : .failed
      let reason = result.verdict.reasons.first.map { ": \($0)" } ?? ""
      throw BenchmarkError(code, "a scenario of the harness: \(result.verdict.headline)\(reason)")
    }
    return run
  }
}

extension Workbench {
  /// The end of a phase of a second.
  fileprivate var second: String { "for: \(scale.harnessNanoseconds)ns" }
}
