internal import Foundation
internal import Glibc
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// The lives of one database: processes that open it, write, and are killed.
final class CrashCase {
  /// The number of kills of one database. More would make it larger, and slower to check.
  static let kills = 25
  /// The most lives of one database. A life that closes the database before its kill does not count as a kill.
  private static let mostLives = 80
  private static let database = "store.sqlite"
  /// The name of the copy of the files before the last opening, for examination by hand.
  private static let copy = "killed.sqlite"
  private static let log = "acknowledged.txt"
  /// The name of the copy of the log that belongs to these files.
  private static let copiedLog = "killed.acknowledged.txt"

  private let campaign: CrashCampaign
  private let testCase: StressCase
  private let acknowledgements: AcknowledgementLogWriter
  private let form: PathForm
  private let isWithoutTemporaryFolder: Bool
  private var random: RandomStream
  private var expectation = CrashExpectation()
  private var lives: UInt32 = 0
  private var kills = 0
  /// The most commits without a ledger entry at the end of the copied files.
  private var copiedUnrecorded: UInt64 = 0
  private(set) var outcome = CaseOutcome()

  init(_ campaign: CrashCampaign, _ testCase: StressCase) throws {
    self.campaign = campaign
    self.testCase = testCase
    random = testCase.random("plans")
    form = PathForm(ofCase: testCase.number)
    isWithoutTemporaryFolder =
      MountNamespace.isAvailable && ReadOnlyTemporaryFolders.areUsed(byCase: testCase.number)
    outcome.count(form.countName)
    acknowledgements = try AcknowledgementLogWriter(path: testCase.folder + "/" + Self.log)
  }

  private var path: String { testCase.folder + "/" + Self.database }
  private var continues: Bool { outcome.failures.isEmpty && !testCase.interruption.isRaised }

  /// Runs the case to its end, its first failure, or the interruption.
  func run() throws {
    while kills < Self.kills, lives < Self.mostLives, continues {
      let index = testCase.number * Self.kills + kills
      let plan = KillPlan.next(&random, point: point(index, isFirst: lives == 0))
      let count = plan == .recovery ? 1 + random.below(5) : 1
      for _ in 0..<count where continues { try live(plan) }
    }
    guard continues else { return }
    try live(.none(after: 10))
    guard continues else { return }
    try verifyStopped()
    outcome.count(CrashCampaign.Count.unreported, expectation.foundUnreported)
  }

  /// Returns the points in turn. Only the first life creates the tables of the file, and so reaches `fileCreated`.
  private func point(_ index: Int, isFirst: Bool) -> TestPoint {
    if isFirst { return .fileCreated }
    let points = TestPoint.allCases.filter { $0 != .fileCreated }
    return points[index % points.count]
  }

  // MARK: Lives

  private func live(_ plan: KillPlan) throws {
    try campaign.tampering?(path, Int(lives))
    try copyFiles()
    let order = try order(for: plan)
    expectation.begin(writers: order.writers, hasView: order.hasView)
    let errors = testCase.folder + "/errors.txt"
    var program = CaseProgram(path: campaign.program, arguments: campaign.programArguments)
    if isWithoutTemporaryFolder {
      program = program.inMountNamespace
      outcome.count(CrashCampaign.Count.withoutTemporaryFolder)
    }
    let life = try CrashLifeWatch(
      plan,
      program.path,
      arguments: program.arguments + [try order.text],
      errors: errors,
      seed: random.next()
    )
    lives += 1
    while let events = life.next() {
      for event in events { try apply(event, plan) }
      if testCase.interruption.isRaised { life.kill() }
    }
    judge(life, plan)
  }

  private func order(for plan: KillPlan) throws -> CrashOrder {
    var order = CrashOrder(
      path: path,
      synchronous: campaign.level,
      life: lives,
      seed: testCase.seed &+ UInt64(testCase.number) &* 1_000_003
    )
    order.form = form
    order.onlyWritableFolder = isWithoutTemporaryFolder ? testCase.folder : nil
    order.acknowledged = expectation.acknowledged
    order.unrecorded = expectation.unrecorded
    order.hasView = testCase.number % 3 == 0 && random.below(4) > 0
    order.writers = 1 + random.below(4)
    order.closesAfter = plan.closesAfter
    if case .point(let point, let count) = plan { order.kill = .init(point: point, count: count) }
    if TestHooks.areBuiltIn {
      order.pauses = random.below(3) == 0
      order.fails = random.below(6) == 0
    }
    if order.kill?.point == .transactionJoined { order.writers = 4 }
    return order
  }

  private func apply(_ event: CrashEvent, _ plan: KillPlan) throws {
    if case .acknowledged(let commit) = event { try acknowledgements.append([commit]) }
    if let error = expectation.apply(event), outcome.failures.isEmpty { fail(error, plan) }
    outcome.add(CrashCampaign.counts(of: event))
  }

  /// Counts a kill or a closing. Every other end of a process is a failure.
  private func judge(_ life: CrashLifeWatch, _ plan: KillPlan) {
    guard continues else { return }
    switch life.end {
    case .signalled(SIGKILL):
      kills += 1
      for name in life.kinds { outcome.count(name) }
    case .exited(0) where life.isClosed: outcome.count(CrashCampaign.Count.closed)
    case .exited(let code): fail("the process ended with exit code \(code)\(errors)", plan)
    case .signalled(let signal): fail("the process ended with signal \(signal)\(errors)", plan)
    }
    if life.isHung { fail("the process reported nothing for \(CrashLifeWatch.longestSilence / 1_000_000_000) s", plan) }
  }

  private var errors: String {
    let text = (try? String(contentsOfFile: testCase.folder + "/errors.txt", encoding: .utf8)) ?? ""
    return text.isEmpty ? "" : ": \(text.suffix(400))"
  }

  private func fail(_ text: String, _ plan: KillPlan) {
    let options = copiedUnrecorded > 0 ? " --unrecorded \(copiedUnrecorded)" : ""
    let folder = testCase.folder
    outcome.failures.append(
      "life \(lives) (\(plan)): \(text). Check the files that were opened: '\(CommandLine.arguments[0])' verify "
        + "'\(folder)/\(Self.copy)' --acknowledged '\(folder)/\(Self.copiedLog)'\(options)"
    )
  }

  // MARK: Files

  /// Copies the files that are opened next, and the log. No process has the files open.
  ///
  /// The database file is removed first and copied last: while it exists, the other copies are of the same moment.
  private func copyFiles() throws {
    let files = FileManager.default
    let names = ["", "-wal", "-journal"].map { (Self.database + $0, Self.copy + $0) } + [(Self.log, Self.copiedLog)]
    let copies = names.map { (source: "\(testCase.folder)/\($0)", target: "\(testCase.folder)/\($1)") }
    for copy in copies { try? files.removeItem(atPath: copy.target) }
    for copy in copies.reversed() where files.fileExists(atPath: copy.source) {
      try files.copyItem(atPath: copy.source, toPath: copy.target)
    }
    copiedUnrecorded = expectation.unrecorded
  }

  /// Checks the files of the stopped database as `yapbench verify` does.
  private func verifyStopped() throws {
    try copyFiles()
    let folder = testCase.folder + "/copy"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let log = try AcknowledgementLog(path: testCase.folder + "/" + Self.log)
    let report = try StoreVerification().verify(
      path,
      acknowledged: log,
      unrecorded: expectation.unrecorded,
      in: folder
    )
    try FileManager.default.removeItem(atPath: folder)
    if let first = report.errors.first {
      fail("errors in the stopped database: \(report.errorCount), the first: \(first)", .none(after: 0))
    }
    outcome.count(CrashCampaign.Count.stopped)
  }
}
