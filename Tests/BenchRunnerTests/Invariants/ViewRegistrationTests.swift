import Testing

@testable import BenchRunner

/// Every short story of readers and a registration, against what any commit could explain.
@Suite("The registration of a view") struct ViewRegistrationTests {
  /// One reader's answer.
  private struct Answer {
    var snapshot: UInt64
    var isThere: Bool
  }

  private static let snapshots = UInt64(0)...4
  private static let answers = snapshots.flatMap {
    [Answer(snapshot: $0, isThere: true), .init(snapshot: $0, isThere: false)]
  }

  /// The commits that could be the one that registers the view, by all that was answered.
  private func commits(after before: UInt64, by last: UInt64, _ answers: [Answer]) -> [UInt64] {
    (before + 1...max(last, before + 1)).filter { commit in
      commit <= last && answers.allSatisfy { $0.isThere == ($0.snapshot >= commit) }
    }
  }

  @Test(arguments: 0...3 as ClosedRange<UInt64>, 1...5 as ClosedRange<UInt64>)
  func `is objected to where no commit explains all answers`(before: UInt64, by: UInt64) {
    guard by > before else { return }
    for first in Self.answers {
      for second in Self.answers {
        for third in Self.answers {
          check([first, second, third], before, by)
        }
      }
    }
  }

  private func check(_ answers: [Answer], _ before: UInt64, _ by: UInt64) {
    // The registration ends before, between or after the answers.
    for end in 0...answers.count {
      var registration = ViewRegistration()
      registration.begin(after: before)
      var believed: [Answer] = []
      for (place, answer) in answers.enumerated() {
        if place == end { #expect((registration.end(by: by) == nil) == isExplained(believed, before, by)) }
        // One that ends later could be any commit, as far as anybody knows. All after the last snapshot are alike.
        let last = place >= end ? by : max(before, Self.snapshots.upperBound) + 1
        let isRight = !commits(after: before, by: last, believed + [answer]).isEmpty
        let wasRight = !commits(after: before, by: last, believed).isEmpty
        let objection = registration.objection(to: answer.isThere, at: answer.snapshot)
        if wasRight { #expect((objection == nil) == isRight, "\(believed) \(answer) \(before) \(last)") }
        if objection == nil { believed.append(answer) }
      }
    }
  }

  private func isExplained(_ answers: [Answer], _ before: UInt64, _ by: UInt64) -> Bool {
    !commits(after: before, by: by, answers).isEmpty
  }

  @Test func `that nobody has begun, or that has failed, is found by nobody`() {
    var registration = ViewRegistration()
    #expect(registration.objection(to: false, at: 3) == nil)
    #expect(registration.objection(to: true, at: 3) == "exists at snapshot 3, but was not registered")
    registration.begin(after: 3)
    #expect(registration.objection(to: true, at: 3) == "exists at snapshot 3, but was registered after commit 3")
    registration.cancel()
    #expect(registration.objection(to: true, at: 4) != nil)
    #expect(registration.objection(to: false, at: 9) == nil)
  }

  @Test func `says what it is held against`() {
    var registration = ViewRegistration()
    registration.begin(after: 3)
    #expect(registration.objection(to: false, at: 4) == nil)
    #expect(registration.objection(to: true, at: 4) == "exists at snapshot 4, but did not at snapshot 4")
    #expect(registration.objection(to: true, at: 6) == nil)
    #expect(registration.objection(to: false, at: 7) == "does not exist at snapshot 7, but did at snapshot 6")
    #expect(registration.end(by: 6) == nil)
    #expect(registration.objection(to: false, at: 6) == "does not exist at snapshot 6, but was registered by commit 6")
    #expect(registration.objection(to: true, at: 5) == nil)
  }
}
