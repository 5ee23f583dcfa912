package import BenchResults
internal import CommitLedger
internal import Foundation
internal import LatencyMetrics
internal import SQLiteBinding
internal import ThreadingPrimitives
internal import YapEngine

/// A mixed load on one database for a long time, with the database closed, checked and opened again now and then. A
/// case is one soak on a new database.
package struct SoakCampaign: StressCampaign {
  /// The length of one soak as it is written on the command line, such as "2m".
  private let length: String
  private let nanoseconds: UInt64

  package init(length: String, nanoseconds: UInt64) {
    self.length = length
    self.nanoseconds = nanoseconds
  }

  package var kind: StressKind { .soak }
  package var arguments: [String] { ["--length", length] }
  package var synchronous: String { "normal" }
  /// Memory, descriptors and threads are counted for the process, so only one soak can run at a time.
  package var runsConcurrently: Bool { false }

  package var countNames: [String] {
    [
      "seconds", "commits", "rows read", "bookmark moves", "bookmarks held", "connections opened",
      "checkpoints requested", "reopenings", "samples", "quarters compared", "WAL sizes checked",
      "ledger entries checked", "soaks whose commits slowed by over 20 % (p99)",
    ]
  }

  package var requirements: [StressRequirement] {
    [
      StressRequirement("commits", else: "nothing was written"),
      StressRequirement("bookmark moves", else: "no bookmark moved"),
      StressRequirement("reopenings", else: "the database was never opened again"),
      StressRequirement("quarters compared", else: "the soak was too short to compare its quarters"),
    ]
  }

  package var untested: [String] {
    [
      "Latency does not decide, because other work on the machine changes it: the last count only shows it.",
      "An interrupted soak does not count; it begins again when the campaign is resumed.",
    ]
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let soak = Soak(testCase, nanoseconds: nanoseconds)
    try soak.run()
    return soak.outcome
  }
}

/// One soak, from its first opening of the database to its last check.
private final class Soak {
  private static let sampleNanoseconds: UInt64 = 250_000_000

  private let testCase: StressCase
  private let path: String
  private let end: UInt64
  private let length: UInt64
  private let start = MonotonicClock.now
  private var samples: [SoakSample] = []
  /// The durations of the commits of each quarter.
  private var commits = (0..<4).map { _ in LatencyHistogram() }
  /// The numbers of free pages of the file at each closing.
  private var freePages: [Int] = []
  private(set) var outcome = CaseOutcome()

  init(_ testCase: StressCase, nanoseconds: UInt64) {
    self.testCase = testCase
    path = testCase.folder + "/soak.sqlite"
    length = nanoseconds
    end = start + nanoseconds
  }

  func run() throws {
    var random = testCase.random("periods")
    var generation = 0
    while MonotonicClock.now < end, !testCase.interruption.isRaised, outcome.failures.isEmpty {
      // A database is opened 8 times or more, at intervals of at most three minutes.
      let longest = min(length / 8, 180_000_000_000)
      let period = longest / 2 + random.next() % (longest / 2)
      try use(generation, until: min(end, MonotonicClock.now + period))
      if generation > 0 { outcome.count("reopenings") }
      generation += 1
    }
    outcome.count("seconds", Int((MonotonicClock.now - start) / 1_000_000_000))
    judge()
  }

  /// Opens the database, runs the load until the deadline, checks the database, and closes it.
  private func use(_ generation: Int, until deadline: UInt64) throws {
    let database = try YapDatabase(path: path, options: LedgeredDatabase.options(synchronous: .normal))
    let stop = StopFlag()
    // After an error, too, the threads must end.
    defer { stop.raise() }
    let load = SoakLoad(database, seed: testCase.seed &+ UInt64(testCase.number), generation: generation, stop: stop)
    let threads = try load.start()
    while MonotonicClock.now < deadline, !stop.isRaised, !testCase.interruption.isRaised {
      MonotonicClock.sleep(until: min(deadline, MonotonicClock.now + Self.sampleNanoseconds))
      samples.append(try SoakSample.now())
      commits[min(3, Int((MonotonicClock.now - start) * 4 / length))].add(load.takeCommits())
    }
    stop.raise()
    for thread in threads { thread.join() }
    outcome.add(load.outcome)
    try checkWAL(database, load)
    let report = try database.newConnection().read {
      try LedgerCheck().check($0, acknowledged: database.snapshot)
    }
    outcome.failures += report.errors
    outcome.count("ledger entries checked", report.entries)
    try database.close(timeout: .seconds(60))
    freePages.append(try freePageCount())
  }

  /// Checks that the WAL is small after a checkpoint and a commit without any reader.
  private func checkWAL(_ database: YapDatabase, _ load: SoakLoad) throws {
    try database.checkpoint(.restart, timeout: .seconds(10))
    try load.commitOnce()
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    let limit = max(database.options.journalSizeLimit ?? .max, database.options.aggressiveCheckpointAt)
    if size > limit {
      outcome.failures.append("the WAL has \(size) bytes after a checkpoint without readers; the limit is \(limit)")
    }
    outcome.count("WAL sizes checked")
  }

  private func freePageCount() throws -> Int {
    let handle = try SQLiteHandle(path: path)
    let count = try handle.integer("PRAGMA freelist_count") ?? 0
    try handle.close()
    return Int(count)
  }

  private func judge() {
    outcome.count("samples", samples.count)
    guard !testCase.interruption.isRaised else { return }
    if samples.count >= 4 * SoakBounds.fewestSamples { outcome.count("quarters compared", 2) }
    outcome.failures += SoakBounds.violations(samples)
    outcome.failures += SoakBounds.growthOfFreeList(freePages)
    let (early, late) = (commits[1].value(atPercentile: 99), commits[3].value(atPercentile: 99))
    outcome.count("soaks whose commits slowed by over 20 % (p99)", late > early + early / 5 ? 1 : 0)
  }
}
