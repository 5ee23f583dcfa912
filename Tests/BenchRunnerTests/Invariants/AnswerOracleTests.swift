import Testing

@testable import BenchRunner

@Suite("The oracle of answers") struct AnswerOracleTests {
  private func oracle(_ mark: AnswerOracle.Mark, _ part: RowPart = .object) -> AnswerOracle {
    let oracle = AnswerOracle(rows: 1)
    oracle.set(mark, of: part, row: 0)
    return oracle
  }

  /// The effect of a commit on the row.
  private enum Change: CaseIterable {
    case none, set, remove
  }

  /// All histories of one row over so many commits.
  private func histories(_ commits: Int) -> [[Change]] {
    (0..<commits).reduce([[]]) { histories, _ in
      histories.flatMap { history in Change.allCases.map { history + [$0] } }
    }
  }

  /// The commit that a reader finds in a snapshot; nil where the row is not there.
  private func truth(_ history: [Change], at snapshot: Int) -> UInt64? {
    for commit in stride(from: snapshot, to: 0, by: -1) {
      switch history[commit - 1] {
      case .none: continue
      case .set: return UInt64(commit)
      case .remove: return nil
      }
    }
    return nil
  }

  @Test(arguments: RowPart.allCases)
  func `it never objects to the truth, and to everything else that it can know`(part: RowPart) {
    let commits = 5
    var wrong: [String] = []
    for history in histories(commits) {
      let oracle = AnswerOracle(rows: 1)
      var newest: UInt64 = 0
      for written in 0...commits {
        if written > 0, history[written - 1] != .none {
          newest = UInt64(written)
          oracle.set(.init(commit: newest, isAbsent: history[written - 1] == .remove), of: part, row: 0)
        }
        // A reader may look at any snapshot up to the newest, while the writer is ahead of it.
        for snapshot in 0...written {
          let truth = truth(history, at: snapshot)
          for found in [nil] + (1...UInt64(commits) + 1).map(Optional.some) {
            let objects = oracle.objection(to: found, of: part, row: 0, at: UInt64(snapshot)) != nil
            let isKnown = newest <= snapshot || (found ?? 0) > snapshot
            if objects != (isKnown && found != truth) {
              wrong.append("\(history), written up to \(written), snapshot \(snapshot), found \(found ?? 0)")
            }
          }
          guard part == .object else { continue }
          for isPresent in [false, true] {
            let objects = oracle.objection(toPresence: isPresent, ofRow: 0, at: UInt64(snapshot)) != nil
            if objects != (newest <= snapshot && isPresent != (truth != nil)) {
              wrong.append("\(history), written up to \(written), snapshot \(snapshot), present: \(isPresent)")
            }
          }
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) of them, such as \(wrong.prefix(3))")
  }

  @Test func `it says what is wrong`() {
    let present = oracle(.init(commit: 5, isAbsent: false))
    #expect(present.objection(to: 9, of: .object, row: 0, at: 8) == "carries commit 9, which is later than snapshot 8")
    #expect(present.objection(to: nil, of: .object, row: 0, at: 5) == "is missing, but commit 5 wrote it")
    #expect(present.objection(to: 4, of: .object, row: 0, at: 5) == "carries commit 4 instead of 5")
    #expect(present.objection(toPresence: false, ofRow: 0, at: 5) == "is missing, but commit 5 wrote it")
    let absent = oracle(.init(commit: 5, isAbsent: true))
    #expect(absent.objection(to: 4, of: .object, row: 0, at: 6) == "carries commit 4, but commit 5 removed it")
    #expect(absent.objection(toPresence: true, ofRow: 0, at: 6) == "is present, but commit 5 removed it")
  }

  @Test func `an object and its metadata are known apart`() {
    let oracle = AnswerOracle(rows: 3)
    oracle.set(.init(commit: 1, isAbsent: false), of: .object, row: 1)
    #expect(oracle.objection(to: 1, of: .object, row: 1, at: 1) == nil)
    #expect(oracle.objection(to: nil, of: .metadata, row: 1, at: 1) == nil)
    #expect(oracle.objection(to: 1, of: .metadata, row: 1, at: 1) != nil)
    #expect(oracle.mark(of: .object, row: 0) == .init(commit: 0, isAbsent: true))
    #expect(oracle.mark(of: .object, row: 2) == .init(commit: 0, isAbsent: true))
  }

  @Test func `it counts the rows that are there`() {
    let oracle = AnswerOracle(rows: 10)
    #expect(oracle.presentRows(below: 10) == 0)
    for row in 0..<7 { oracle.set(.init(commit: 1, isAbsent: false), of: .object, row: row) }
    for row in 0..<2 { oracle.set(.init(commit: 2, isAbsent: true), of: .object, row: row) }
    oracle.set(.init(commit: 3, isAbsent: false), of: .metadata, row: 9)
    #expect(oracle.presentRows(below: 10) == 5)
    #expect(oracle.presentRows(below: 3) == 1)
    #expect(!oracle.isPresent(0))
    #expect(oracle.isPresent(2))
  }
}
