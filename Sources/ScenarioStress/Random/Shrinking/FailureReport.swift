internal import BenchScenario
internal import EngineStress
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// The limits at which shrinking ends although a smaller scenario may fail.
package struct ShrinkingLimits: Sendable {
  /// The longest time.
  package var seconds = 60.0
  /// The number of lines of a scenario that is small enough.
  package var lines = 0

  package init() {}

  fileprivate func isReached(by scenario: Scenario) -> Bool {
    (try? scenario.text()).map { $0.split(separator: "\n").count <= lines } ?? false
  }
}

/// Shrinks the failing scenario of a case, and saves it with the database of a failing run.
///
/// Threads meet differently in each run. If the scenario does not fail in each, a candidate passes only after several
/// runs without the failure.
struct FailureReport {
  /// The time within which the saved scenario should fail.
  private static let shownSeconds = 8.0
  /// The most runs of a candidate.
  private static let mostAttempts = 6

  let testCase: StressCase
  let trials: TrialProcess
  let settings: TrialSettings
  let shrinking: ShrinkingLimits

  private var scratch: String { testCase.folder + "/trial" }

  /// - Parameters:
  ///   - scenario: the scenario that failed.
  ///   - found: the result of its run, whose files are in the folder `first` of the case.
  /// - Returns: a description of the failure and of the saved scenario.
  func save(_ scenario: Scenario, _ found: TrialResult) throws -> String {
    let start = MonotonicClock.now
    let original = try scenario.text()
    try Data(original.utf8).write(to: URL(fileURLWithPath: testCase.folder + "/original.yaml"))
    var scenario = scenario
    var attempts = try attempts(scenario, found)
    if attempts == 0, !testCase.interruption.isRaised {
      // A longer run has more chances to fail.
      scenario = Self.lengthened(scenario, to: Self.shownSeconds)
      attempts = try self.attempts(scenario, found)
    }
    var smallest = scenario
    if attempts > 0 {
      smallest = try shrunk(onlyInvariants(of: found, scenario), found, attempts: attempts, since: start)
    }
    let seconds = Double(MonotonicClock.now - start) / 1e9
    var database = testCase.folder + "/first"
    let shown: String
    if attempts > 0, let (lengthened, time) = try shortest(smallest, found) {
      smallest = lengthened
      database = scratch
      shown = "it fails within \(Self.text(time)) s"
    } else {
      shown = testCase.interruption.isRaised ? "shrinking was interrupted" : "it did not fail again"
    }
    let text = try smallest.text()
    try Data(text.utf8).write(to: URL(fileURLWithPath: testCase.folder + "/scenario.yaml"))
    try keepDatabase(of: database)
    let lines = text.split(separator: "\n").count
    return "\(found.failures[0]); scenario.yaml has \(lines) of \(original.split(separator: "\n").count) lines after "
      + "\(Self.text(seconds)) s, and \(shown); repeat it: \(repetition)"
  }

  /// Returns the smallest scenario that was found to fail before the limits of shrinking.
  /// - Parameter attempts: the number of runs after which the given scenario probably does not fail.
  private func shrunk(_ scenario: Scenario, _ found: TrialResult, attempts: Int, since start: UInt64) throws -> Scenario
  {
    let end = start + UInt64(saturating: shrinking.seconds * 1e9)
    // A scenario that fails in each run is not replaced by one that fails in some.
    var isReliable = attempts == 2
    var shrinker = ScenarioShrinker { smallest in
      MonotonicClock.now < end && !testCase.interruption.isRaised && !shrinking.isReached(by: smallest)
    } fails: {
      guard let run = try firstFailing(of: isReliable ? 1 : attempts, $0, found) else { return false }
      guard run == 1 else { return true }
      guard try failure($0, found) != nil else { return !isReliable }
      isReliable = true
      return true
    }
    return try shrinker.shrink(scenario)
  }

  /// The command that repeats the saved scenario.
  private var repetition: String {
    let command = "'\(CommandLine.arguments[0])' stress random --scenario '\(testCase.folder)/scenario.yaml'"
    return ([command] + settings.tests.arguments).joined(separator: " ")
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

  /// Returns the number of runs after which a candidate probably does not fail; 0 if the scenario does not fail again.
  private func attempts(_ scenario: Scenario, _ found: TrialResult) throws -> Int {
    var failed = 0
    for run in 1...Self.mostAttempts {
      if try failure(scenario, found) != nil { failed += 1 }
      if failed == 2 { return run == 2 ? 2 : min(2 * run, Self.mostAttempts) }
    }
    return failed == 0 ? 0 : Self.mostAttempts
  }

  /// Returns the scenario with the violated invariants alone.
  private func onlyInvariants(of found: TrialResult, _ scenario: Scenario) -> Scenario {
    guard !found.violated.isEmpty else { return scenario }
    var result = scenario
    result.invariants.removeAll { !found.violated.contains($0.rawValue) }
    return result
  }

  /// Returns the number of the first of several runs, from 1, that fails in the same way; nil if none does.
  private func firstFailing(of attempts: Int, _ scenario: Scenario, _ found: TrialResult) throws -> Int? {
    try (1...attempts).first { _ in try failure(scenario, found) != nil }
  }

  /// Returns the result of a run that fails in the same way; nil if it does not, or after an interruption.
  private func failure(_ scenario: Scenario, _ found: TrialResult) throws -> TrialResult? {
    guard !testCase.interruption.isRaised,
      let result = try trials.run(scenario.text(), settings, in: scratch), !result.failures.isEmpty
    else { return nil }
    let isSame =
      found.violated.isEmpty ? result.violated.isEmpty : !Set(found.violated).isDisjoint(with: result.violated)
    return isSame ? result : nil
  }

  /// Lengthens the phases of a scenario that does not fail in each run, until it does.
  /// - Returns: the scenario, and the time after which it failed; nil if it did not fail again.
  private func shortest(_ scenario: Scenario, _ found: TrialResult) throws -> (Scenario, seconds: Double)? {
    var lengthened = scenario
    for seconds in [0, 2, Self.shownSeconds] {
      if seconds > 0 { lengthened = Self.lengthened(scenario, to: seconds) }
      // Both runs must fail, so that the next one probably does too.
      guard try failure(lengthened, found) != nil, let second = try failure(lengthened, found) else { continue }
      return (lengthened, second.seconds)
    }
    for _ in 0..<Self.mostAttempts {
      if let last = try failure(lengthened, found) { return (lengthened, last.seconds) }
    }
    return nil
  }

  /// Returns the scenario with phases that last as long as given in all.
  private static func lengthened(_ scenario: Scenario, to seconds: Double) -> Scenario {
    var lengthened = scenario
    let share = seconds / Double(lengthened.phases.count)
    for index in lengthened.phases.indices {
      lengthened.phases[index].end = .duration(nanoseconds: UInt64(saturating: share * 1e3) * 1_000_000)
      for actor in lengthened.phases[index].actors.indices {
        lengthened.phases[index].actors[actor].settings.operationCount = nil
      }
    }
    return lengthened
  }

  /// Keeps the database of a trial, and removes the other files of trials.
  private func keepDatabase(of trial: String) throws {
    let files = FileManager.default
    let data = "\(trial)/\(TrialOrder.dataFolder)"
    if files.fileExists(atPath: data) { try files.moveItem(atPath: data, toPath: testCase.folder + "/database") }
    for folder in [scratch, testCase.folder + "/first"] { try? files.removeItem(atPath: folder) }
  }
}
