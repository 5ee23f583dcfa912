package import BenchResults
internal import Foundation
internal import HarnessPrimitives
package import ThreadingPrimitives

/// The limits and the folder of a campaign.
package struct CampaignSettings: Sendable {
  /// The campaign's existing folder, which contains the journal and the files of failed cases.
  package var folder: String
  /// The existing folder in which cases create their databases.
  package var dataFolder: String
  package var seed: UInt64
  /// The number of cases, of all shards together; nil for all.
  package var cases: Int?
  /// The part of the cases to run, whose campaign's requirements do not apply; nil for all.
  package var shard: ShardRecord?
  /// The number of the only case to run, whose campaign's requirements do not apply; nil for `cases`.
  package var onlyCase: Int?
  /// No case begins once the campaign has run for this time, including the time before it was resumed; nil without a
  /// limit.
  package var seconds: Double?
  /// The number of threads that run cases.
  package var jobs = 1
  /// No case begins after this many failures.
  var mostFailures = 10

  package init(folder: String, dataFolder: String, seed: UInt64) {
    self.folder = folder
    self.dataFolder = dataFolder
    self.seed = seed
  }

  /// Returns the number of cases of the whole campaign; nil without a limit.
  package func plannedCases(of campaign: any StressCampaign) -> Int? {
    campaign.caseCount.map { min($0, cases ?? $0) } ?? cases
  }
}

/// The progress of a campaign.
package struct CampaignProgress: Sendable {
  package var cases: Int
  package var plannedCases: Int?
  package var failures: Int
  /// The counts so far, in the campaign's order.
  package var counts: [StressCount]
}

/// Runs the cases of a campaign that its journal does not contain yet.
package final class CampaignRun: Sendable {
  private struct State: Sendable {
    var journal: CampaignJournal?
    /// The moment at which the campaign was started or resumed, and its running time until then.
    var startedAt: UInt64 = 0
    var earlierSeconds = 0.0
    /// The last time at which the journal was synced.
    var syncedAt: UInt64 = 0
    /// The cases that no thread has taken yet. Finished ones are left out when they are taken.
    var untaken: StrideTo<Int>.Iterator
    var finished: Set<Int> = []
    var counts: [String: Int] = [:]
    var failures: [StressFailure] = []
    /// The first error of a thread, which ends the campaign.
    var error: (any Error)?

    /// The time for which the campaign has run at `moment`, without pauses.
    func activeSeconds(at moment: UInt64) -> Double { earlierSeconds + Double(moment - startedAt) / 1e9 }
  }

  /// The interval between syncs of the journal. A killed campaign repeats at most the cases of this time.
  private static let syncNanoseconds: UInt64 = 1_000_000_000

  private let campaign: any StressCampaign
  private let settings: CampaignSettings
  private let interruption: StopFlag
  private let onProgress: @Sendable (CampaignProgress) -> Void
  /// Returns the command that repeats one case.
  private let caseCommand: @Sendable (Int) -> String
  /// The number of cases that the settings plan; nil without a limit.
  private let plannedCases: Int?
  private let state: Guarded<State>

  /// - Parameters:
  ///   - caseCommand: Returns the command that repeats one case.
  ///   - onProgress: Called after each case, on any thread, one call at a time.
  package init(
    _ campaign: any StressCampaign,
    settings: CampaignSettings,
    interruption: StopFlag,
    caseCommand: @escaping @Sendable (Int) -> String,
    onProgress: @escaping @Sendable (CampaignProgress) -> Void
  ) {
    self.campaign = campaign
    self.settings = settings
    self.interruption = interruption
    self.caseCommand = caseCommand
    self.onProgress = onProgress
    let cases: StrideTo<Int>
    if let onlyCase = settings.onlyCase {
      plannedCases = onlyCase < campaign.caseCount ?? .max ? 1 : 0
      cases = stride(from: onlyCase, to: onlyCase + (plannedCases ?? 0), by: 1)
    } else {
      let (shard, all) = (settings.shard?.shard ?? Shard(1, of: 1), settings.plannedCases(of: campaign))
      (plannedCases, cases) = (all.map(shard.turnCount), shard.turns(of: all))
    }
    state = Guarded(State(untaken: cases.makeIterator()))
  }

  /// The time for which the campaign had run before it was resumed. It is known after `perform`.
  package var earlierSeconds: Double { state.withLock { $0.earlierSeconds } }

  /// Runs the cases.
  /// - Parameters:
  ///   - command: The command that repeats the campaign.
  ///   - resumeCommand: The command that continues it; nil if there is only one case to run.
  /// - Throws: `CampaignMismatch`, `JournalProblem`, `ThreadError`, and errors of creating and moving folders.
  package func perform(
    environment: StressEnvironment,
    command: String,
    resumeCommand: String? = nil
  ) throws -> StressResult {
    let header = CampaignHeader(
      kind: campaign.kind,
      seed: settings.seed,
      arguments: campaign.arguments,
      inputDigest: campaign.inputDigest,
      shard: settings.shard,
      environment: environment,
      startedAt: Date().formatted(.iso8601)
    )
    let journal = try CampaignJournal(at: settings.folder + "/journal.jsonl", header)
    state.withLock { state in
      state.journal = journal
      state.startedAt = MonotonicClock.now
      state.earlierSeconds = journal.activeSeconds
      state.syncedAt = state.startedAt
      for entry in journal.entries { add(entry, to: &state) }
    }
    runCases()
    let end = state.withLock { $0 }
    if let error = end.error { throw error }
    try journal.file.sync()
    var result = StressResult(
      kind: campaign.kind,
      seed: settings.seed,
      environment: journal.header.environment,
      command: command,
      startedAt: journal.header.startedAt
    )
    result.resumeCommand = resumeCommand
    result.durationSeconds = end.activeSeconds(at: MonotonicClock.now)
    (result.cases, result.plannedCases) = (end.finished.count, plannedCases)
    result.counts = counts(end)
    result.failures = end.failures.sorted { $0.number < $1.number }
    result.shortcomings = shortcomings(of: end)
    result.untested = campaign.untested
    result.isInterrupted = interruption.isRaised
    result.shard = settings.shard
    result.requirements = settings.shard.map { _ in campaign.requirements }
    return result
  }

  /// Runs cases on all threads, until none is left or a thread has an error.
  private func runCases() {
    let work: @Sendable () -> Void = { [self] in while let number = takeCase() { run(number) } }
    let jobs = campaign.runsConcurrently ? max(1, settings.jobs) : 1
    var threads: [WorkerThread] = []
    do {
      for job in 1..<jobs { threads.append(try WorkerThread(name: "stress \(job)", work)) }
      work()
    } catch { fail(with: error) }
    for thread in threads { thread.join() }
  }

  private func fail(with error: any Error) { state.withLock { $0.error = $0.error ?? error } }

  /// Returns the number of the next case; nil if the campaign ends.
  private func takeCase() -> Int? {
    state.withLock { state in
      if interruption.isRaised || state.error != nil { return nil }
      if state.failures.count >= settings.mostFailures { return nil }
      if let seconds = settings.seconds, state.activeSeconds(at: MonotonicClock.now) >= seconds { return nil }
      while let number = state.untaken.next() { if !state.finished.contains(number) { return number } }
      return nil
    }
  }

  private func run(_ number: Int) {
    do {
      // Absolute, because cases change their working folder and use links.
      let folder = URL(fileURLWithPath: settings.dataFolder).standardizedFileURL.path + "/case-\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let testCase = StressCase(number: number, seed: settings.seed, folder: folder, interruption: interruption)
      let found = campaign.outcome(of: testCase)
      // An interrupted case may have tested only a part, so it is run again.
      if interruption.isRaised, found.failures.isEmpty { return }
      let outcome = try found.failures.isEmpty ? found : keep(folder, of: number, found)
      try state.withLock { state in try record(outcome, of: number, &state) }
    } catch { fail(with: error) }
  }

  private func record(_ outcome: CaseOutcome, of number: Int, _ state: inout State) throws {
    let now = MonotonicClock.now
    let entry = CampaignJournal.Entry(number: number, seconds: state.activeSeconds(at: now), outcome: outcome)
    let syncs = now - state.syncedAt >= Self.syncNanoseconds || !outcome.failures.isEmpty
    try state.journal?.file.append(entry, syncs: syncs)
    if syncs { state.syncedAt = now }
    add(entry, to: &state)
    let progress = CampaignProgress(
      cases: state.finished.count,
      plannedCases: plannedCases,
      failures: state.failures.count,
      counts: counts(state)
    )
    onProgress(progress)
  }

  private func add(_ entry: CampaignJournal.Entry, to state: inout State) {
    state.finished.insert(entry.number)
    state.counts.merge(entry.outcome.counts, uniquingKeysWith: +)
    let folder = Self.failureFolder(of: entry.number)
    let isKept = FileManager.default.fileExists(atPath: "\(settings.folder)/\(folder)")
    state.failures += entry.outcome.failures.map {
      StressFailure(
        number: entry.number,
        text: $0,
        folder: isKept ? folder : nil,
        command: caseCommand(entry.number)
      )
    }
  }

  /// Moves the files of a failed case to the campaign's folder.
  /// - Returns: The outcome, whose failures contain the new path.
  private func keep(_ folder: String, of number: Int, _ outcome: CaseOutcome) throws -> CaseOutcome {
    let files = FileManager.default
    guard !(try files.contentsOfDirectory(atPath: folder)).isEmpty else { return outcome }
    let kept = URL(fileURLWithPath: "\(settings.folder)/\(Self.failureFolder(of: number))").path
    try files.createDirectory(atPath: settings.folder + "/failures", withIntermediateDirectories: true)
    if files.fileExists(atPath: kept) { try files.removeItem(atPath: kept) }
    try files.moveItem(atPath: folder, toPath: kept)
    var moved = outcome
    moved.failures = outcome.failures.map { $0.replacing(folder + "/", with: kept + "/") }
    return moved
  }

  private static func failureFolder(of number: Int) -> String { "failures/case-\(number)" }

  private func counts(_ state: State) -> [StressCount] {
    let extra = state.counts.keys.filter { !campaign.countNames.contains($0) }.sorted()
    return (campaign.countNames + extra).map { StressCount(name: $0, value: state.counts[$0] ?? 0) }
  }

  private func shortcomings(of state: State) -> [String] {
    if let onlyCase = settings.onlyCase {
      guard let count = campaign.caseCount, onlyCase >= count else { return [] }
      return ["there is no case \(onlyCase); the last one is \(count - 1)"]
    }
    guard settings.shard == nil else { return state.finished.isEmpty ? ["no case was run"] : [] }
    return campaign.requirements.compactMap { $0.shortcoming(found: state.counts[$0.count] ?? 0) }
  }
}
