import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import EngineStress

/// Campaigns whose cases only count, interrupted and resumed at every case.
@Suite struct CampaignRunTests {
  /// Every case counts 1. The cases in `failing` fail and leave a file.
  private struct Counting: StressCampaign {
    var kind = StressKind.crash
    var arguments: [String] = ["--shape", "small"]
    var inputDigest: String?
    var synchronous = "full"
    var caseCount: Int?
    var countNames = ["cases run", "unused"]
    var requirements = [StressRequirement("cases run", else: "nothing was run")]
    var untested = ["Everything else."]
    var failing: Set<Int> = []
    var interruptsAt: Int?
    let ran = SharedNumbers()

    func run(_ testCase: StressCase) throws -> CaseOutcome {
      ran.append(testCase.number)
      if testCase.number == interruptsAt { testCase.interruption.raise() }
      var outcome = CaseOutcome()
      outcome.count("cases run")
      if !testCase.folder.hasPrefix("/") { outcome.failures.append("the folder \(testCase.folder) is not absolute") }
      if failing.contains(testCase.number) {
        try Data("seed \(testCase.seed)".utf8).write(to: URL(fileURLWithPath: testCase.folder + "/file"))
        outcome.failures.append("row 7 of \(testCase.folder)/file is wrong")
      }
      return outcome
    }
  }

  private final class SharedNumbers: Sendable {
    private let numbers = Guarded<[Int]>([])
    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
    var all: [Int] { numbers.withLock { $0.sorted() } }
  }

  private static let environment = StressEnvironment(
    commit: nil,
    program: "0123",
    hasTestPoints: true,
    sqliteVersion: "3.40.1",
    sqliteSourceID: "source",
    sqliteHasWALResetDefect: true,
    synchronous: "full",
    fileSystem: "tmpfs"
  )

  private static func record(_ shard: Shard, cases: Int?) -> ShardRecord {
    let command = ShardedCommand(
      name: "stress damage",
      unit: .case,
      shards: shard.count,
      program: "1f",
      sqlite: "3",
      options: [],
      groups: [.init(name: "stress damage", seed: 5, digest: nil, cases: cases)]
    )
    return ShardRecord(number: shard.number, command: command, machine: "node", options: [])
  }

  private static func perform(
    _ campaign: Counting,
    in folder: String,
    seed: UInt64 = 5,
    cases: Int? = nil,
    onlyCase: Int? = nil,
    shard: Shard? = nil,
    jobs: Int = 1,
    environment: StressEnvironment = environment
  ) throws -> StressResult {
    let data = folder + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    var settings = CampaignSettings(folder: folder, dataFolder: data, seed: seed)
    settings.cases = cases
    settings.onlyCase = onlyCase
    settings.shard = shard.map { record($0, cases: settings.plannedCases(of: campaign)) }
    settings.jobs = jobs
    let run = CampaignRun(
      campaign,
      settings: settings,
      interruption: StopFlag(),
      caseCommand: { "stress crash --case \($0)" },
      onProgress: { _ in }
    )
    return try run.perform(environment: environment, command: "stress crash")
  }

  @Test(arguments: [1, 3]) func `each case runs once, and its counts are added`(jobs: Int) throws {
    let folder = try TemporaryFolder()
    let campaign = Counting()
    let result = try Self.perform(campaign, in: folder.path, cases: 20, jobs: jobs)
    #expect(campaign.ran.all == Array(0..<20))
    #expect(result.counts == [StressCount(name: "cases run", value: 20), StressCount(name: "unused", value: 0)])
    #expect(result.status == .passed)
  }

  @Test func `the folders of cases are absolute`() throws {
    let folder = try TemporaryFolder()
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + folder.path.dropFirst()
    #expect(try Self.perform(Counting(), in: relative, cases: 2).status == .passed)
  }

  @Test func `a failing case keeps its files and names the command that repeats it`() throws {
    let folder = try TemporaryFolder()
    let result = try Self.perform(Counting(failing: [2]), in: folder.path, cases: 4)
    #expect(result.status == .invariantViolated)
    let failure = try #require(result.failures.first)
    #expect(failure.number == 2)
    #expect(failure.command == "stress crash --case 2")
    #expect(failure.text == "row 7 of \(folder.path)/failures/case-2/file is wrong")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(failure.folder ?? "")/file"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data")
    #expect(left == [])
  }

  @Test func `a campaign that has checked nothing is not passed`() throws {
    let folder = try TemporaryFolder()
    let result = try Self.perform(Counting(caseCount: 0), in: folder.path)
    #expect(result.status == .measurementInvalid)
    #expect(result.shortcomings == ["nothing was run: 0 cases run, expected at least 1"])
  }

  @Test func `one case alone need not meet the campaign's requirements, but must exist`() throws {
    var campaign = Counting(caseCount: 5)
    campaign.requirements = [StressRequirement("unused", else: "not everything was tried")]
    let folders = try [TemporaryFolder(), TemporaryFolder()]
    let result = try Self.perform(campaign, in: folders[0].path, cases: 2, onlyCase: 4)
    #expect(campaign.ran.all == [4])
    #expect(result.plannedCases == 1)
    #expect(result.status == .passed)
    let missing = try Self.perform(campaign, in: folders[1].path, onlyCase: 5)
    #expect(campaign.ran.all == [4])
    #expect(missing.shortcomings == ["there is no case 5; the last one is 4"])
    #expect(missing.status == .measurementInvalid)
  }

  @Test(arguments: [1, 3]) func `the shards together run each case once`(jobs: Int) throws {
    var numbers: [Int] = []
    for number in 1...4 {
      let folder = try TemporaryFolder()
      var campaign = Counting(caseCount: 11)
      campaign.requirements = [StressRequirement("unused", else: "not everything was tried")]
      let shard = Shard(number, of: 4)
      let result = try Self.perform(campaign, in: folder.path, shard: shard, jobs: jobs)
      #expect(result.plannedCases == result.cases && result.cases == (number == 4 ? 2 : 3))
      // The requirements are those of all shards together.
      #expect(result.shard?.shard == shard && result.requirements == campaign.requirements)
      #expect(result.status == .passed)
      numbers += campaign.ran.all
    }
    #expect(numbers == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7])
  }

  @Test func `a shard without a limit of cases continues with its own cases, and is not that of another one`() throws {
    let folder = try TemporaryFolder()
    let (second, third) = (Shard(2, of: 3), Shard(3, of: 3))
    let first = Counting(interruptsAt: 7)
    #expect(try Self.perform(first, in: folder.path, shard: second).status == .interrupted)
    #expect(first.ran.all == [1, 4, 7])
    let mismatch = #expect(throws: CampaignMismatch.self) {
      try Self.perform(Counting(), in: folder.path, cases: 12, shard: third)
    }
    #expect(mismatch?.problem.hasSuffix("the journal covers shard 2 of 3") == true)
    #expect(throws: CampaignMismatch.self) { try Self.perform(Counting(), in: folder.path, cases: 12) }
    let resumed = Counting()
    #expect(try Self.perform(resumed, in: folder.path, cases: 12, shard: second).status == .passed)
    #expect(resumed.ran.all == [7, 10])
  }

  @Test func `a shard in which no case was run is not passed`() throws {
    let folder = try TemporaryFolder()
    let result = try Self.perform(Counting(caseCount: 2), in: folder.path, shard: Shard(3, of: 3))
    #expect(result.shortcomings == ["no case was run"] && result.status == .measurementInvalid)
  }

  @Test(arguments: [1, 3]) func `an error of any thread ends the campaign`(jobs: Int) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: folder.path + "/data/case-7"))
    let campaign = Counting()
    #expect(throws: (any Error).self) { try Self.perform(campaign, in: folder.path, jobs: jobs) }
    #expect(!campaign.ran.all.contains(7))
  }

  @Test func `an interrupted campaign continues with the cases that it has not finished`() throws {
    for interrupted in 0..<6 {
      let folder = try TemporaryFolder()
      let first = Counting(caseCount: 6, interruptsAt: interrupted)
      let partial = try Self.perform(first, in: folder.path)
      #expect(partial.status == .interrupted)
      #expect(partial.cases == interrupted)
      let second = Counting(caseCount: 6)
      let result = try Self.perform(second, in: folder.path)
      #expect(second.ran.all == Array(interrupted..<6))
      #expect(result.counts.first?.value == 6)
      #expect(result.status == .passed)
    }
  }

  @Test func `a resumed campaign adds to the time for which it ran before`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.perform(Counting(), in: folder.path, cases: 1)
    let journal = URL(fileURLWithPath: folder.path + "/journal.jsonl")
    let first = try String(contentsOf: journal, encoding: .utf8)
    try Data(first.replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":1000").utf8).write(to: journal)
    for cases in 2...4 {
      let result = try Self.perform(Counting(), in: folder.path, cases: cases)
      #expect((1_000..<2_000).contains(result.durationSeconds))
    }
    let entries = try Data(contentsOf: journal).split(separator: UInt8(ascii: "\n")).dropFirst().map {
      try JSONDecoder().decode(CampaignJournal.Entry.self, from: Data($0))
    }
    #expect(entries.count == 4)
    #expect(entries.allSatisfy { $0.seconds >= 1_000 })
  }

  @Test func `a torn last line of the journal is dropped`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.perform(Counting(), in: folder.path, cases: 3)
    let journal = folder.path + "/journal.jsonl"
    let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
    try whole.dropLast(5).write(to: URL(fileURLWithPath: journal))
    let campaign = Counting()
    let result = try Self.perform(campaign, in: folder.path, cases: 3)
    #expect(campaign.ran.all == [2])
    #expect(result.counts.first?.value == 3)
  }

  @Test func `another seed, program or file system, and other options cannot resume a campaign`() throws {
    let folder = try TemporaryFolder()
    _ = try Self.perform(Counting(), in: folder.path, cases: 1)
    #expect(throws: CampaignMismatch.self) { try Self.perform(Counting(), in: folder.path, seed: 6, cases: 1) }
    #expect(throws: CampaignMismatch.self) { try Self.perform(Counting(arguments: []), in: folder.path, cases: 1) }
    var environment = Self.environment
    environment.program = "4567"
    #expect(throws: CampaignMismatch.self) {
      try Self.perform(Counting(), in: folder.path, cases: 1, environment: environment)
    }
    environment = Self.environment
    environment.fileSystem = "ext4"
    let mismatch = #expect(throws: CampaignMismatch.self) {
      try Self.perform(Counting(), in: folder.path, cases: 1, environment: environment)
    }
    #expect(mismatch?.problem.hasSuffix("its databases are on tmpfs, not on ext4") == true)
    let changed = #expect(throws: CampaignMismatch.self) {
      try Self.perform(Counting(inputDigest: "1f"), in: folder.path, cases: 1)
    }
    #expect(changed?.problem.hasSuffix("its scenarios had another text") == true)
    var other = Counting()
    other.kind = .faults
    #expect(throws: CampaignMismatch.self) { try Self.perform(other, in: folder.path, cases: 1) }
  }
}
