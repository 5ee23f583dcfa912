internal import BenchDrivers
internal import Foundation
internal import HarnessPrimitives
package import ThreadingPrimitives

/// Counts the instructions that operations execute outside SQLite. The counts need no quiet machine. Each claim's work
/// is done in a process of its own, under Callgrind.
package enum InstructionSession {
  /// Symbols of SQLite. Its other functions have no symbols in the system's library, so their names are addresses.
  private static let sqlite = (symbols: ["sqlite3_"], ownCallers: ["0x"])

  /// The targets with a count of instructions.
  package static var targets: Set<TargetName> {
    Set(PerformanceTarget.allClaims.filter { $0.countedOperations != nil }.map(\.id.target))
  }

  /// - Throws: `BenchmarkError`. An interruption is not an error: the report marks the missing figures.
  package static func perform(
    _ options: BenchmarkOptions,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (BenchmarkProgress) -> Void = { _ in }
  ) throws -> BenchmarkReport {
    let claims = try BenchmarkSession.claims(of: options.targets).filter { $0.countedOperations != nil }
    let program = "\(options.folder)/yapbench"
    let end = try Callgrind.strip(EngineProcess.Program.this.path, to: program)
    guard end.exitCode == 0 else { throw BenchmarkError(.failed, "objcopy: \(end.lastLines)") }
    var results: [ClaimResult] = []
    for claim in claims {
      if !interruption.isRaised { onProgress(.trial(claim.what)) }
      let count = try interruption.isRaised ? nil : count(claim, options, program: program, interruption: interruption)
      results.append(ClaimResult(claim, of: nil, rounds: count.map { [$0] }))
    }
    let isInterrupted = interruption.isRaised
    return BenchmarkReport(seed: options.seed, rounds: 1, isInterrupted: isInterrupted, results: results, trials: [])
  }

  /// - Returns: Instructions per operation; nil after an interruption.
  private static func count(
    _ claim: Claim,
    _ options: BenchmarkOptions,
    program: String,
    interruption: StopFlag
  ) throws -> Double? {
    let folder = "\(options.folder)/counted"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let work = CountedWork(claim: claim.id.description, folder: folder, seed: options.seed)
    let (end, profile) = try Callgrind.run(
      program,
      ChildRole.counted.arguments + [work.text],
      counting: CountedCode.symbols,
      profile: "\(folder)/callgrind.out",
      interruptIf: { interruption.isRaised }
    )
    if interruption.isRaised { return nil }
    guard end.exitCode == 0 else {
      throw BenchmarkError(.failed, "\(claim.id) under Callgrind: \(end.end): \(end.lastLines)")
    }
    let operations = claim.countedOperations ?? 1
    // A function that is not found, or that has ended early for Callgrind, would look like fast code.
    guard profile.total > operations else {
      let functions = CountedCode.symbols.joined(separator: ", ")
      throw BenchmarkError(
        .failed,
        "\(claim.id): Callgrind counted \(profile.total) instructions of \(operations) operations in \(functions)"
      )
    }
    return Double(outsideSQLite(profile)) / Double(operations)
  }

  /// The instructions of a profile without those that calls of SQLite executed.
  static func outsideSQLite(_ profile: CallgrindProfile) -> Int {
    profile.total - profile.calls(of: sqlite.symbols, exceptCallsBy: sqlite.ownCallers).instructions
  }
}

/// The work of a claim whose instructions are counted: the task of a process with the role `counted`.
package struct CountedWork: Codable {
  var claim: String
  /// The folder of the databases. It must exist.
  var folder: String
  var seed: UInt64

  /// The sizes: the rows fit into Callgrind's patience, and are more than each cache holds.
  private static var scale: BenchmarkScale {
    var scale = BenchmarkScale.whole
    scale.rows = 10_000
    scale.cachedRows = 1_000
    return scale
  }

  /// The argument of the process.
  var text: String { (try? StableJSON.encoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// - Throws: `BenchmarkError`, or an error of a store.
  package static func perform(_ text: String) throws {
    let work = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
    guard let work, let claim = PerformanceTarget.allClaims.first(where: { $0.id.description == work.claim }) else {
      throw BenchmarkError(.unknownTarget, "unknown work: \(text)")
    }
    var options = BenchmarkOptions(folder: work.folder)
    options.scale = scale
    options.seed = work.seed
    let bench = Workbench(options, claims: [claim])
    _ = try BenchmarkSession.runFamilies(on: bench)
    try BenchmarkError.check(bench.countedTurns, is: 1, "turns of \(claim.id)")
  }
}
