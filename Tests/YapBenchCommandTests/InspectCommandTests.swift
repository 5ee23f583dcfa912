import BenchDrivers
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import WALInspection

@testable import BenchResults
@testable import BenchScenario
@testable import YapBenchCommand

/// The engine runs in a process of its own, because in the inspecting process it would lose its locks.
@Suite("inspect") struct InspectCommandTests {
  private let folder: TemporaryFolder
  private let path: String
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/file.sqlite"
  }

  private func withEngine(
    _ driver: DriverKind,
    _ body: (EngineProcess) throws -> Void
  ) throws {
    let shape = ValueShape(size: .fixed(bytes: 64))
    let rows = DatasetCollection(name: "rows", rows: 10, value: shape)
    let settings = EngineSettings(driver: driver, synchronous: .off)
    let process = try EngineProcess(settings, dataset: [rows], views: [], path: path)
    try body(process)
    try process.close()
  }

  private static func write(_ count: Int, _ connection: any DriverConnection) throws {
    let value = [UInt8](repeating: 1, count: 3_000)
    for number in 0..<count {
      try connection.readWrite { try $0.set(value, metadata: nil, "\(number % 10)", in: "rows") }
    }
  }

  private func report() throws -> WALReport {
    trial.output.clear()
    #expect(trial.run("inspect", "--json", path) == 0)
    return try JSONDecoder().decode(WALReport.self, from: Data(trial.output.text.utf8))
  }

  @Test(arguments: [DriverKind.yap, .sqlite])
  func `agrees with the engine about its WAL, and names the reading process`(driver: DriverKind) throws {
    try withEngine(driver) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      let reader = try engine.connect(ConnectionSettings(name: "reader"))
      try Self.write(1, writer)
      _ = try reader.advance()
      try Self.write(400, writer)
      _ = try engine.checkpoint(.passive)
      let observed = try #require(engine.observe())
      let report = try report()
      #expect(report.walBytes == observed.wal?.bytes)
      #expect(report.backlogFrames == observed.wal?.backlogFrames)
      #expect(report.frameBytes == engine.frameBytes)
      #expect(report.copyableFrames == report.copiedFrames)
      let oldest = try #require(report.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame })
      #expect(oldest.framesBehind >= 400)
      #expect(report.openedBy.map(\.name) == ["yapbench"])
      #expect(oldest.holders == report.openedBy)
      // The file may be longer than its last valid frame. Recovery reads one frame more.
      let valid = 32 + report.validFrames * report.frameBytes
      #expect(report.recovery.walBytes == min(report.walBytes, valid + report.frameBytes))
      #expect(report.recovery.readNanoseconds != nil && report.isConsistent)
      // The inspection did not affect the reader, which still has its snapshot. Its frames can be copied when it moves.
      try reader.read { try #expect($0.count(in: "rows") == 1) }
      _ = try reader.advance()
      // A passive checkpoint never waits, so one that finds a lock taken copies less.
      let isCopied = try eventually {
        _ = try engine.checkpoint(.passive)
        return try self.report().backlogFrames == 0
      }
      #expect(isCopied)
    }
    // The last connection to close removes the WAL.
    try #expect(report().walBytes == 0)
  }

  // MARK: The engine's figures against SQLite's index

  /// Makes readers, commits and checkpoints, and then compares the engine's own figures with the shared index.
  /// - Parameters:
  ///   - forgery: Is applied while the index is read.
  ///   - falsification: Is applied to the engine's figures.
  /// - Returns: The names of the figures that differ.
  private func differences(
    _ forgery: ForgedFile? = nil,
    falsifying falsification: FalseAccount? = nil
  ) throws -> Set<String> {
    var found: Set<String> = []
    try withEngine(.yap) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      let oldest = try engine.connect(ConnectionSettings(name: "oldest"))
      let next = try engine.connect(ConnectionSettings(name: "next"))
      // While a reader reads from the WAL, it does not restart, so frames of several checkpoints can be added. An idle
      // connection releases its snapshot after one more commit and a checkpoint.
      var start: WALReport
      repeat {
        try Self.write(1, writer)
        _ = try oldest.advance()
        try Self.write(1, writer)
        _ = try engine.checkpoint(.passive)
        start = try report()
      } while !start.readers.contains {
        $0.mark > 0 && $0.frame < start.committedFrames && $0.frame == start.copiedFrames
      }
      let before = try #require(start.copiedFrames)
      let made = engine.checkpoints(after: 0).count
      for stretch in [80, 40] {
        try Self.write(stretch, writer)
        _ = try engine.checkpoint(.passive)
        if stretch == 80 { _ = try next.advance() }
      }
      let last = try engine.checkpoint(.passive)
      let observed = try #require(engine.observe())
      let account = AccountOfFrames(engine, falsification)
      let copied = account.framesCopied(after: made)
      let honest = try report()
      let seen = try forgery?.apply(to: path, honest, report) ?? honest
      func compare(_ name: String, _ isSame: Bool) { if !isSame { found.insert(name) } }
      compare("copied", seen.copiedFrames == before + copied)
      compare("left", last.framesLeft == seen.backlogFrames && last.framesInWAL == seen.committedFrames)
      compare("backlog", observed.wal?.backlogFrames == seen.backlogFrames)
      compare("frames", observed.wal?.frames == seen.committedFrames)
      let marks = seen.readers.filter { $0.mark > 0 }.map(\.frame).sorted()
      guard marks.count >= 2 else {
        found.insert("marks")
        return
      }
      // The frames between its own mark and the next one.
      let alone = account.framesHeldAlone(observed).filter { $0.1 > 0 }
      compare("holder", alone.map(\.0) == ["oldest"])
      compare("alone", alone.allSatisfy { $0.1 == marks[1] - marks[0] } && marks[1] - marks[0] >= 80)
      compare("held", observed.wal?.heldFrames == seen.committedFrames - marks[0])
      // Without readers the rest is copied, by the engine itself or by a full checkpoint.
      for reader in [oldest, next] { _ = try reader.advance() }
      _ = try engine.checkpoint(.full)
      let all = account.framesCopied(after: made)
      let rest = try report()
      compare("rest", rest.copiedFrames == before + all && rest.backlogFrames == 0)
    }
    return found
  }

  @Test func `frames copied by checkpoints, and held by one connection, agree with SQLite's index`() throws {
    let found = try differences()
    #expect(found == [])
  }

  @Test(arguments: FalseAccount.allCases)
  func `the comparison finds a planted bug in the engine's figures`(bug: FalseAccount) throws {
    let differences = try differences(falsifying: bug)
    #expect(differences == bug.differences)
  }

  @Test(arguments: ForgedFile.all)
  func `a forged WAL or index is refused, or found by the comparison`(forgery: ForgedFile) throws {
    let found = try differences(forgery)
    #expect(found == forgery.differences)
  }

  @Test func `prints a page, or one line for each inspection`() throws {
    try withEngine(.sqlite) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      try Self.write(20, writer)
      #expect(trial.run("inspect", path) == 0)
      let page = trial.output.lines
      #expect(page.first?.hasPrefix("\(path): ") == true)
      for word in ["WAL", "committed", "copied", "backlog", "opened by", "recovery"] {
        #expect(page.contains { $0.hasPrefix(word) }, "\(word)")
      }
      trial.output.clear()
      #expect(trial.run("inspect", "--every", "1ms", "--count", "3", path) == 0)
      #expect(trial.output.lines.count == 3)
      #expect(trial.output.lines.allSatisfy { $0.contains("  WAL ") && $0.contains(" frames, ") })
    }
  }

  @Test(arguments: ["", "-wal", "-shm"])
  func `a named pipe in place of a file is refused at once`(suffix: String) throws {
    var header = [UInt8](repeating: 0, count: 4_096)
    header.replaceSubrange(0..<20, with: Array("SQLite format 3\0".utf8) + [16, 0, 2, 2])
    if suffix != "" { try Data(header).write(to: URL(fileURLWithPath: path)) }
    #expect(mkfifo(path + suffix, 0o600) == 0)
    #expect(trial.run("inspect", path) == ExitStatus.missingInput.rawValue)
    #expect(trial.errors.text.contains("\(path + suffix): this is a named pipe; expected a regular file."))
  }

  /// Opens the database in another program, because this process would lose its locks.
  private func withShell(_ sql: String, _ body: () throws -> Void) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.holder, path, sql]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)))
    try body()
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static let holder = """
    import sqlite3, sys
    handle = sqlite3.connect(sys.argv[1], isolation_level=None)
    for statement in sys.argv[2].split(";"): handle.execute(statement).fetchall()
    print("ready", flush=True)
    sys.stdin.read()
    """

  @Test(.enabled(if: hasPython)) func `exclusive locking mode is recognised by the lock on the database file`() throws {
    try withShell("PRAGMA locking_mode = exclusive; PRAGMA journal_mode = wal; CREATE TABLE t (k)") {
      let report = try report()
      #expect(report.openedBy.count == 1 && report.exclusiveHolders == report.openedBy)
      #expect(report.committedFrames > 0 && report.copiedFrames == nil)
      #expect(trial.run("inspect", path) == 0)
      #expect(trial.output.text.contains(", in exclusive locking mode: its WAL-index is not visible from outside\n"))
    }
  }

  @Test(.enabled(if: hasPython)) func `recovery is counted to the first invalid frame of a long file`() throws {
    try withShell("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (k)") {
      let before = try report()
      #expect(truncate(path + "-wal", 1 << 34) == 0)
      let report = try report()
      #expect(report.walBytes == 1 << 34)
      #expect(report.validFrames == before.validFrames && report.commits == before.commits)
      #expect(report.recovery.walBytes == 32 + (report.validFrames + 1) * report.frameBytes)
    }
  }

  private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A restart changes the index before it changes the WAL.
  @Test func `a WAL that the index no longer describes has no commits`() throws {
    try withEngine(.sqlite) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      try Self.write(5, writer)
      let forgery = try #require(ForgedFile.all.first { $0.testDescription == "the index of another WAL" })
      let seen = try forgery.apply(to: path, report(), report)
      #expect(seen.validFrames > 0 && seen.isConsistent)
      #expect([seen.committedFrames, seen.commits, seen.committedPages, seen.backlogFrames] == [0, 0, 0, 0])
    }
  }

  @Test func `figures are of one moment while a writer restarts the WAL`() throws {
    try withEngine(.sqlite) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      try Self.write(1, writer)
      let ended = StopFlag()
      let thread = try WorkerThread(name: "writer") {
        while !ended.isRaised {
          try? Self.write(3, writer)
          _ = try? engine.checkpoint(.restart)
        }
      }
      for _ in 0..<400 {
        let report = try report()
        guard report.isConsistent else { continue }
        #expect((report.committedFrames == 0) == (report.commits == 0), "\(report)")
        #expect((report.committedFrames == 0) == (report.committedPages == 0), "\(report)")
        #expect(report.committedPages <= report.committedFrames, "\(report)")
      }
      ended.raise()
      thread.join()
    }
  }

  @Test func `a file that cannot be inspected is reported with a remedy`() throws {
    #expect(trial.run("inspect", path) == ExitStatus.missingInput.rawValue)
    #expect(trial.errors.text.contains("there is no such file"))
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(trial.run("inspect", path) == ExitStatus.invalidScenario.rawValue)
    #expect(trial.errors.text.contains("this is not an SQLite database. Name the database file, not its -wal or -shm."))
    var header = [UInt8](repeating: 0, count: 4_096)
    header.replaceSubrange(0..<20, with: Array("SQLite format 3\0".utf8) + [16, 0, 1, 1])
    try Data(header).write(to: URL(fileURLWithPath: path))
    #expect(trial.run("inspect", path) == ExitStatus.invalidScenario.rawValue)
    #expect(trial.errors.text.contains("not in WAL mode"))
    #expect(trial.run("inspect", folder.path) == ExitStatus.missingInput.rawValue)
    #expect(trial.errors.text.contains("\(folder.path): this is a folder; expected a regular file."))
    #expect(trial.run("inspect", "--every", "soon", path) == ExitStatus.usage.rawValue)
    #expect(trial.run("inspect", "--count", "0", path) == ExitStatus.usage.rawValue)
  }
}

/// A mistake of an engine's account of its WAL, which the tests put between the engine and the comparison.
enum FalseAccount: CaseIterable, Sendable {
  /// A checkpoint is reported to have copied all frames that are copied when it ends, including those copied before.
  case tellsAllCopiedFrames
  /// Frames that only one connection keeps from being copied are reported for every connection.
  case countsHeldFramesTwice
  /// Frames that several connections hold are reported as held by one alone.
  case takesSharedFramesForHeldAlone

  /// The differences from SQLite's index that the comparison has to find.
  var differences: Set<String> {
    switch self {
    case .tellsAllCopiedFrames: ["copied", "rest"]
    case .countsHeldFramesTwice: ["holder"]
    case .takesSharedFramesForHeldAlone: ["alone"]
    }
  }
}

/// An engine's account of the frames in its WAL.
private struct AccountOfFrames {
  let engine: any DriverDatabase
  let falsification: FalseAccount?

  init(_ engine: any DriverDatabase, _ falsification: FalseAccount?) {
    self.engine = engine
    self.falsification = falsification
  }

  /// Returns the number of frames that checkpoints have copied after the checkpoint `number`.
  func framesCopied(after number: Int) -> Int {
    let isTotal = falsification == .tellsAllCopiedFrames
    return engine.checkpoints(after: number).map { isTotal ? $0.framesInWAL - $0.framesLeft : $0.framesCopied }
      .reduce(0, +)
  }

  /// Returns the frames that each connection holds alone.
  func framesHeldAlone(_ observed: EngineSample) -> [(String, Int)] {
    let most = observed.connections.map(\.framesHeldAlone).max() ?? 0
    return observed.connections.map { connection in
      switch falsification {
      case .countsHeldFramesTwice: (connection.name, most)
      case .takesSharedFramesForHeldAlone where connection.framesHeldAlone > 0:
        (connection.name, observed.wal?.heldFrames ?? 0)
      default: (connection.name, connection.framesHeldAlone)
      }
    }
  }
}
