package import BenchResults
internal import Foundation
internal import Glibc
internal import ThreadingPrimitives
internal import YapEngine

/// Makes each call of SQLite's VFS fail in turn, while the engine is used.
///
/// A case is one scenario with one fault. It is run with the first call failing, then the second, until a run has no
/// failed call. After each run, the session and the file are compared with the acknowledged commits.
package final class FaultCampaign: StressCampaign {
  /// The time after which a run has hung. The process then ends with SIGALRM.
  package static let limitSeconds: UInt32 = 10
  private static let mostRuns: UInt64 = 2_000
  /// The longest wait for descriptors or threads to end. Each run has two waits, which leave it most of `limitSeconds`.
  private static let waitNanoseconds: UInt64 = 1_500_000_000

  private let limitSeconds: UInt32
  private let comparesProcess: Bool
  private let stores = DamageStores()

  /// - Parameter comparesProcess: Whether the process's descriptors and threads are compared before and after each run,
  ///   so that nothing else may use the engine in the process.
  package init(limitSeconds: UInt32 = FaultCampaign.limitSeconds, comparesProcess: Bool = true) {
    self.limitSeconds = limitSeconds
    self.comparesProcess = comparesProcess
  }

  package let kind = StressKind.faults
  package let arguments: [String] = []
  package let synchronous = "full"
  /// Cases share the process's descriptors and its limit of time.
  package let runsConcurrently = false
  /// The number of pairs of a scenario and a fault. Later cases repeat the pairs with other random rows.
  package static let pairCount = FaultScenario.allCases.count * InjectedFault.all.count

  package var countNames: [String] {
    [
      FaultCount.runs, FaultCount.faulty, FaultCount.reported, FaultCount.absorbed, FaultCount.poisoned,
      FaultCount.working, FaultCount.backups,
    ] + Self.callNames + FaultScenario.allCases.map { Self.name(of: $0) } + PathForm.allCases.map(\.countName)
      + [ReadOnlyTemporaryFolders.countName]
  }

  private static let callNames = InjectedFault.all.filter { !$0.isSticky }.map(\.countName)

  private static func name(of scenario: FaultScenario) -> String { "runs: \(scenario.rawValue)" }

  package var requirements: [StressRequirement] {
    countNames.filter { $0 != ReadOnlyTemporaryFolders.countName }.map {
      StressRequirement($0, else: "not every fault and outcome was seen")
    } + ReadOnlyTemporaryFolders.requirements
  }

  package var untested: [String] {
    [
      "Exhausted memory, except where a method of the VFS reports it.",
      "Short reads of the database file, which SQLite takes for zeros behind its end.",
      "Locks of the WAL index that stay busy: each costs 10 s. They are busy once.",
      "Faults during the recovery from another fault.",
    ] + (MountNamespace.isAvailable ? [] : [ReadOnlyTemporaryFolders.untested])
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    try ReadOnlyTemporaryFolders.run(testCase) { try use(testCase) }
  }

  private func use(_ testCase: StressCase) throws -> CaseOutcome {
    let scenario = FaultScenario.allCases[testCase.number % FaultScenario.allCases.count]
    let fault = InjectedFault.all[testCase.number / FaultScenario.allCases.count % InjectedFault.all.count]
    var outcome = CaseOutcome()
    // The first database of a process opens descriptors of libraries, which stay open.
    _ = try stores.store(.closed, for: testCase)
    for call in 1...Self.mostRuns where !testCase.interruption.isRaised {
      let folder = "\(testCase.folder)/\(call)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let failed = try run(scenario, fault, call: call, in: testCase, folder: folder, into: &outcome)
      if !outcome.failures.isEmpty { return outcome }
      try FileManager.default.removeItem(atPath: folder)
      if failed == 0 { return outcome }
    }
    if !testCase.interruption.isRaised { outcome.failures.append("\(Self.mostRuns) runs, each with failed calls") }
    return outcome
  }

  /// Returns the number of failed calls.
  private func run(
    _ scenario: FaultScenario,
    _ fault: InjectedFault,
    call: UInt64,
    in testCase: StressCase,
    folder: String,
    into outcome: inout CaseOutcome
  ) throws -> UInt64 {
    alarm(limitSeconds)
    defer { alarm(0) }
    let path = folder + "/file.sqlite"
    let store = try scenario.base.map { try stores.store($0, for: testCase) }
    if let store { try DamageStore.write(store.files, to: path) }
    let descriptors = Self.openDescriptors
    let base = store?.commits ?? 0
    let form = PathForm(ofCase: testCase.number)
    let session = FaultSession(
      path: path,
      form: form,
      options: options(scenario, of: testCase),
      newest: base,
      random: testCase.random("use")
    )
    let scope = try FileScope(prefix: path)
    if scenario.isOpenBefore {
      session.open()
      if scenario.hasView { session.register() }
      session.commit(3)
      session.read()
      if scenario == .bookmark { session.moveBookmark() }
    }
    if session.state.withLock({ $0.errorCount }) > 0 { session.fail("an error before the first fault") }
    scope.setFault(fault.ofCall(call))
    scenario.act(in: session)
    scope.removeFault()
    let failed = scope.faultCounts.failures
    let errors = session.state.withLock { $0.errorCount }
    if failed == 0, errors > 0 { session.fail("\(errors) errors without a failed call") }
    let counts = FaultVerification(session: session, fault: fault, failedCalls: failed, base: base).verify()
    session.release()
    if comparesProcess, !eventually({ Self.openDescriptors <= descriptors }) {
      session.fail("expected \(descriptors) open descriptors as before, found \(Self.openDescriptors)")
    }
    if comparesProcess, !eventually({ Self.engineThreads == 0 }) {
      session.fail("expected no thread of the engine after closing, found \(Self.engineThreads)")
    }
    if failed > 0 { outcome.count(errors > 0 ? FaultCount.reported : FaultCount.absorbed) }
    outcome.count(FaultCount.runs)
    outcome.count(Self.name(of: scenario))
    outcome.count(form.countName)
    if failed > 0 { outcome.count(FaultCount.faulty) }
    outcome.count(fault.countName, Int(failed))
    for name in counts { outcome.count(name) }
    let frequency = fault.isSticky ? "from call \(call) on" : "call \(call)"
    outcome.failures += session.state.withLock { $0.failures }.map {
      "\(scenario.rawValue), \(form.countName), \(fault.name), \(frequency): \($0)"
    }
    return failed
  }

  private func options(_ scenario: FaultScenario, of testCase: StressCase) -> YapDatabaseOptions {
    var options = DamageStore.options
    scenario.change(&options)
    options.usesEngineVFS = testCase.number % 4 > 0
    return options
  }

  // MARK: The process

  /// The number of open descriptors of files, pipes and sockets. Dispatch opens others at any time, for its own use.
  private static var openDescriptors: Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return targets.filter { !$0.hasPrefix("anon_inode:") }.count
  }

  private static var engineThreads: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
    return names.filter { $0.hasPrefix("yap-") }.count
  }

  /// Waits for a condition.
  /// - Returns: false if it was not reached within `waitNanoseconds`.
  private func eventually(_ condition: () -> Bool) -> Bool {
    let end = MonotonicClock.now + Self.waitNanoseconds
    while !condition() {
      let now = MonotonicClock.now
      if now >= end { return false }
      MonotonicClock.sleep(until: now + 1_000_000)
    }
    return true
  }
}
