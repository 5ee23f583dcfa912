import BenchResults
import BenchScenario
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The log of violations") struct ViolationLogTests {
  @Test(arguments: Invariant.allCases)
  func `only the scenario's invariants are reported`(asked: Invariant) {
    for reported in Invariant.allCases {
      let log = ViolationLog(checked: [asked])
      log.report(reported, "wrong")
      #expect(log.isViolated.isRaised == (reported == asked))
      #expect(log.violations(of: reported) == (reported == asked ? ["wrong"] : []))
    }
  }

  @Test func `texts of other invariants are not computed`() {
    let log = ViolationLog(checked: [.knownAnswers])
    var made = 0
    func words() -> String {
      made += 1
      return "wrong"
    }
    log.report(.noAliasing, words())
    #expect(made == 0)
    log.report(.knownAnswers, words())
    #expect(made == 1)
  }

  @Test func `the first five violations of each invariant are kept`() {
    let log = ViolationLog(checked: [.knownAnswers, .snapshotStability])
    for number in 1...8 { log.report(.knownAnswers, "\(number)") }
    log.report(.snapshotStability, "other")
    #expect(log.violations(of: .knownAnswers) == ["1", "2", "3", "4", "5"])
    #expect(log.violations(of: .snapshotStability) == ["other"])
  }

  @Test func `threads may report at the same time`() throws {
    let log = ViolationLog(checked: [.knownAnswers])
    try onThreads(4) { thread in
      for number in 0..<100 { log.report(.knownAnswers, "\(thread) \(number)") }
    }
    #expect(Set(log.violations(of: .knownAnswers)).count == 5)
    #expect(log.isViolated.isRaised)
  }

  @Test func `checks are counted for each invariant separately`() {
    var sum = CheckCounts()
    var one = CheckCounts()
    one.knownAnswers = 1
    one.snapshotStability = 2
    one.monotonicSnapshots = 3
    one.exactlyOnceNotifications = 4
    sum += one
    sum += one
    let expected: [Invariant: Int] = [
      .knownAnswers: 2, .snapshotStability: 4, .monotonicSnapshots: 6, .exactlyOnceNotifications: 8,
    ]
    for invariant in Invariant.allCases { #expect(sum[invariant] == expected[invariant] ?? 0) }
  }
}
