import BenchDrivers
import BenchModel
import Foundation
import Testing
import WALInspection

@testable import YapBenchCommand

/// The engine runs in a process of its own: in the one that inspects it would lose its locks.
@Suite("The command that inspects a WAL") struct InspectCommandTests {
  private let folder: TemporaryFolder
  private let path: String
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/file.sqlite"
  }

  private func withEngine(
    _ driver: DriverKind,
    plantedBugs: [String] = [],
    _ body: (EngineProcess) throws -> Void
  ) throws {
    let shape = ValueShape(size: .fixed(bytes: 64))
    let rows = DatasetCollection(name: "rows", rows: 10, value: shape)
    let settings = EngineSettings(driver: driver, synchronous: .off)
    let process = try EngineProcess(settings, dataset: [rows], views: [], path: path, plantedBugs: plantedBugs)
    try body(process)
    try process.close()
  }

  private func write(_ count: Int, _ connection: any DriverConnection) throws {
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
  func `tells what the engine tells of its WAL, and which process stands in the way`(driver: DriverKind) throws {
    try withEngine(driver) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      let reader = try engine.connect(ConnectionSettings(name: "reader"))
      try write(1, writer)
      _ = try reader.advance()
      try write(400, writer)
      _ = try engine.checkpoint(.passive)
      let observed = try #require(engine.observe())
      let report = try report()
      #expect(report.walBytes == observed.walBytes)
      #expect(report.backlogFrames == observed.walBacklogFrames)
      #expect(report.frameBytes == engine.frameBytes)
      #expect(report.copyableFrames == report.copiedFrames)
      let oldest = try #require(report.readers.filter { $0.mark > 0 }.min { $0.frame < $1.frame })
      #expect(oldest.framesBehind >= 400)
      #expect(report.openedBy.map(\.name) == ["yapbench"])
      #expect(oldest.holders == report.openedBy)
      #expect(report.recovery.walBytes == report.walBytes && report.recovery.readNanoseconds != nil)
      // Nobody was disturbed: the reader still has its snapshot, and what it holds can be copied when it has gone.
      try reader.read { try #expect($0.count(in: "rows") == 1) }
      _ = try reader.advance()
      _ = try engine.checkpoint(.passive)
      try #expect(self.report().backlogFrames == 0)
    }
    // The last one that closes takes the WAL away.
    try #expect(report().walBytes == 0)
  }

  // MARK: The engine's account against SQLite's index

  /// Readers, commits and checkpoints, and then a look at what the engine has counted for itself, and at the index,
  /// which all of them share.
  /// - Parameter lie: is told while the index is looked at.
  /// - Returns: what of it differs.
  private func differences(plantedBugs: [String] = [], _ lie: InspectionLie? = nil) throws -> Set<String> {
    var found: Set<String> = []
    try withEngine(.yap, plantedBugs: plantedBugs) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      let oldest = try engine.connect(ConnectionSettings(name: "oldest"))
      let next = try engine.connect(ConnectionSettings(name: "next"))
      // As long as one reads from the WAL it does not begin anew, and frames of the ledger can be added up. Who keeps a
      // snapshot while it is idle has let it go after one more commit and a checkpoint, which has copied what it can.
      var start: WALReport
      repeat {
        try write(1, writer)
        _ = try oldest.advance()
        try write(1, writer)
        _ = try engine.checkpoint(.passive)
        start = try report()
      } while !start.readers.contains {
        $0.mark > 0 && $0.frame < start.committedFrames && $0.frame == start.copiedFrames
      }
      let before = try #require(start.copiedFrames)
      let made = engine.checkpoints(after: 0).count
      for stretch in [80, 40] {
        try write(stretch, writer)
        _ = try engine.checkpoint(.passive)
        if stretch == 80 { _ = try next.advance() }
      }
      let last = try engine.checkpoint(.passive)
      let observed = try #require(engine.observe())
      let copied = engine.checkpoints(after: made).map(\.framesCopied).reduce(0, +)
      let honest = try report()
      let seen = try lie?.told(of: path, honest, report) ?? honest
      func compare(_ what: String, _ isSame: Bool) { if !isSame { found.insert(what) } }
      compare("copied", seen.copiedFrames == before + copied)
      compare("left", last.framesLeft == seen.backlogFrames && last.framesInWAL == seen.committedFrames)
      compare("backlog", observed.walBacklogFrames == seen.backlogFrames)
      compare("frames", observed.walFrames == seen.committedFrames)
      let marks = seen.readers.filter { $0.mark > 0 }.map(\.frame).sorted()
      guard marks.count >= 2 else {
        found.insert("marks")
        return
      }
      // What lies between its own mark and the next one.
      let alone = observed.connections.map { ($0.name, $0.framesHeldAlone) }.filter { $0.1 > 0 }
      compare("holder", alone.map(\.0) == ["oldest"])
      compare("alone", alone.allSatisfy { $0.1 == marks[1] - marks[0] } && marks[1] - marks[0] >= 80)
      compare("held", observed.walHeldFrames == seen.committedFrames - marks[0])
      // When nobody holds anything the rest is copied, by the engine itself or by a full one.
      for reader in [oldest, next] { _ = try reader.advance() }
      _ = try engine.checkpoint(.full)
      let all = engine.checkpoints(after: made).map(\.framesCopied).reduce(0, +)
      let rest = try report()
      compare("rest", rest.copiedFrames == before + all && rest.backlogFrames == 0)
    }
    return found
  }

  @Test func `what checkpoints have copied, and what a connection alone keeps, is what SQLite's own index says`() throws
  {
    let found = try differences()
    #expect(found == [])
  }

  @Test(
    .enabled(if: DriverBuild.hasTestPoints),
    arguments: [
      ("tellsAllCopiedFrames", ["copied", "rest"]), ("countsHeldFramesTwice", ["holder"]),
      ("takesSharedFramesForHeldAlone", ["alone"]),
    ]
  )
  func `that finds a planted bug of the engine's account`(bug: String, found: [String]) throws {
    let differences = try differences(plantedBugs: [bug])
    #expect(differences == Set(found))
  }

  @Test(arguments: InspectionLie.all)
  func `a WAL or an index that lies is refused, or found by that`(lie: InspectionLie) throws {
    let found = try differences(lie)
    #expect(found == lie.differences)
  }

  @Test func `shows it to people, at once and line by line`() throws {
    try withEngine(.sqlite) { engine in
      let writer = try engine.connect(ConnectionSettings(name: "writer"))
      try write(20, writer)
      #expect(trial.run("inspect", path) == 0)
      let page = trial.output.lines
      #expect(page.first?.hasPrefix("\(path): ") == true)
      for word in ["WAL", "committed", "copied", "opened by", "recovery"] {
        #expect(page.contains { $0.hasPrefix(word) }, "\(word)")
      }
      trial.output.clear()
      #expect(trial.run("inspect", "--every", "1ms", "--count", "3", path) == 0)
      #expect(trial.output.lines.count == 3)
      #expect(trial.output.lines.allSatisfy { $0.contains("  WAL ") && $0.contains(" frames, ") })
    }
  }

  @Test func `what cannot be inspected is told, with a remedy`() throws {
    #expect(trial.run("inspect", path) == ExitStatus.missingInput.rawValue)
    #expect(trial.errors.text.contains("there is no such file"))
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(trial.run("inspect", path) == ExitStatus.usage.rawValue)
    #expect(trial.errors.text.contains("this is no SQLite database. Name the database file, not its -wal or -shm."))
    var header = [UInt8](repeating: 0, count: 4_096)
    header.replaceSubrange(0..<20, with: Array("SQLite format 3\0".utf8) + [16, 0, 1, 1])
    try Data(header).write(to: URL(fileURLWithPath: path))
    #expect(trial.run("inspect", path) == ExitStatus.usage.rawValue)
    #expect(trial.errors.text.contains("not in WAL mode"))
    #expect(trial.run("inspect", folder.path) == ExitStatus.usage.rawValue)
    #expect(trial.run("inspect", "--every", "soon", path) == ExitStatus.usage.rawValue)
    #expect(trial.run("inspect", "--count", "0", path) == ExitStatus.usage.rawValue)
  }
}
