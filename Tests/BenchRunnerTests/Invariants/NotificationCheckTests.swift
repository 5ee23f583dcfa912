import BenchResults
import BenchScenario
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The check of notifications") struct NotificationCheckTests {
  private let log = ViolationLog(checked: [.exactlyOnceNotifications])

  private func faults(after first: UInt64, told commits: [UInt64]) -> [String] {
    let check = NotificationCheck(after: first, log)
    for commit in commits { check.record(commit) }
    #expect(check.count == commits.count)
    return log.violations(of: .exactlyOnceNotifications)
  }

  @Test func `each commit told once and in order is right`() {
    #expect(faults(after: 4, told: [5, 6, 7]).isEmpty)
  }

  @Test(arguments: [[6], [5, 7], [5, 5], [5, 6, 5], [4], [6, 5]] as [[UInt64]])
  func `one left out, told twice or out of order is reported`(commits: [UInt64]) {
    #expect(!faults(after: 4, told: commits).isEmpty)
  }

  @Test func `the fault names both commits`() {
    #expect(faults(after: 4, told: [5, 8]) == ["expected the notification of commit 6, found that of commit 8"])
  }

  @Test func `the last ones are waited for, and missed`() {
    let check = NotificationCheck(after: 0, log)
    var pauses = 0
    check.expect(1, within: 60_000_000_000) { _ in
      pauses += 1
      if pauses == 3 { check.record(1) }
    }
    #expect(pauses == 3)
    #expect(!log.isViolated.isRaised)
    check.expect(2, within: 1_000_000)
    #expect(
      log.violations(of: .exactlyOnceNotifications) == [
        "commit 2 of 2 was not notified within 1 ms of the run's end"
      ]
    )
  }
}
