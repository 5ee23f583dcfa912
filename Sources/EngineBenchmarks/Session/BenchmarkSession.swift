package import ThreadingPrimitives

/// Measures the engine and the drivers beside what they are compared with, in one process, in rounds.
package enum BenchmarkSession {
  /// All families in the order in which they run. Families that write much run last, because the disk may stay busy
  /// afterwards. The drivers run at the end, because they make a VFS that counts the default of the process.
  private static var families: [any BenchmarkFamily.Type] {
    [
      EmptyReads.self, CachedReads.self, UncachedReads.self, Enumerations.self, ManyReaders.self, HandOvers.self,
      Jumps.self, CodableCodecs.self, ViewCosts.self, IdleConnections.self, ManyConnections.self,
      SingleWrites.self, BatchWrites.self, CheckpointTails.self, StuckBookmarks.self, JointCommits.self,
      Inserts.self, Mixes.self, Ranges.self, LargeValues.self, StalledNeighbours.self,
      HarnessCosts.self, DriverSpeeds.self,
    ]
  }

  /// The permitted names for `BenchmarkOptions.contestant`.
  package static var contestants: [String] { ContestantName.all }

  /// An upper bound for the number of file descriptors that a session opens at the same time.
  package static var mostDescriptors: Int {
    // P13 and P15 open most: two stores, each with at most this number of idle connections. A handle has up to three
    // descriptors: the database, its WAL, and one of a closed handle, which SQLite keeps while others hold locks.
    128 + 2 * 3 * BenchmarkScale.whole.idleConnections
  }

  /// - Throws: `BenchmarkError`, or an error of a store. An interruption is not an error: the report marks the missing
  ///   figures.
  package static func perform(
    _ options: BenchmarkOptions,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (BenchmarkProgress) -> Void = { _ in }
  ) throws -> BenchmarkReport {
    let claims = try claims(of: options.targets).filter { $0.countedOperations == nil }
    let bench = Workbench(options, claims: claims, interruption: interruption, onProgress: onProgress)
    let isInterrupted = try runFamilies(on: bench, onProgress: onProgress)
    return BenchmarkReport(
      seed: options.seed,
      rounds: options.rounds,
      isInterrupted: isInterrupted,
      results: claims.map(bench.result(of:)),
      trials: bench.records
    )
  }

  /// Runs the families of the requested claims.
  /// - Returns: Whether they were interrupted.
  static func runFamilies(
    on bench: Workbench,
    onProgress: (BenchmarkProgress) -> Void = { _ in }
  ) throws -> Bool {
    var isInterrupted = false
    for family in families where family.targets.contains(where: bench.isRequested) && !isInterrupted {
      onProgress(.family(family.targets.sorted().map(\.description).joined(separator: " ")))
      let result = Result { try family.run(on: bench) }
      let closing = Result { try bench.closeStores() }
      do { try result.get() } catch is BenchmarkInterrupted { isInterrupted = true }
      try closing.get()
    }
    return isInterrupted
  }

  /// Returns the claims of targets; of all if none is named.
  /// - Throws: `unknownTarget`.
  static func claims(of asked: Set<TargetName>) throws -> [Claim] {
    let all = Set(PerformanceTarget.all.map(\.name))
    if let unknown = asked.subtracting(all).min() {
      let known = all.sorted().map(\.description).joined(separator: ", ")
      throw BenchmarkError(.unknownTarget, "unknown target \(unknown); expected one of \(known)")
    }
    return PerformanceTarget.allClaims.filter { asked.isEmpty || asked.contains($0.id.target) }
  }
}

/// The progress of a session.
package enum BenchmarkProgress: Sendable, Equatable {
  /// A family of benchmarks begins. The text lists its targets, such as `P4 P5`, even if only one was requested.
  case family(String)
  case trial(String)
}

/// The reason why a benchmark ended without figures.
package struct BenchmarkError: Error, Equatable, CustomStringConvertible {
  package enum Code: Sendable {
    /// A value that was read, or a number that was counted, is not the expected one.
    case wrongAnswer
    /// The system or the store failed.
    case failed
    /// The requested target does not exist.
    case unknownTarget
    /// Other load on the machine makes a figure meaningless. Its claims have no result; the session continues.
    case disturbed
  }

  package let code: Code
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// - Throws: `wrongAnswer` if the two differ.
  static func check<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    if found != expected {
      throw BenchmarkError(.wrongAnswer, "\(what()): expected \(expected), found \(found)")
    }
  }
}
