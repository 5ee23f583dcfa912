import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("An outage of the engine") struct OutageTests {
  @Test func `nobody comes in while it lasts, and it waits for those who are in`() throws {
    let outage = Outage()
    let inside = Guarded(0)
    let entered = Guarded(0)
    // The workers that were kept out since the last outage began.
    let keptOut = Guarded<Set<Int>>([])
    let changed = Parker()
    let stop = StopFlag()
    let workers = try (0..<4).map { number in
      try WorkerThread(name: "worker \(number)") {
        func isOver() -> Bool {
          keptOut.withLock { _ = $0.insert(number) }
          changed.unpark()
          return stop.isRaised
        }
        while outage.enter(unless: isOver) {
          inside.withLock { $0 += 1 }
          entered.withLock { $0 += 1 }
          changed.unpark()
          inside.withLock { $0 -= 1 }
          outage.leave()
        }
      }
    }
    for round in 1...20 {
      while entered.withLock({ $0 }) < round * 10 { changed.park() }
      outage.begin()
      outage.waitUntilEmpty()
      let before = entered.withLock { $0 }
      #expect(inside.withLock { $0 } == 0)
      keptOut.withLock { $0 = [] }
      while keptOut.withLock({ $0.count }) < workers.count { changed.park() }
      #expect(entered.withLock { $0 } == before)
      outage.end()
      #expect(outage.restarts == round)
    }
    stop.raise()
    outage.begin()
    for worker in workers { worker.join() }
  }

  @Test func `the end of a phase ends the wait`() {
    let outage = Outage()
    outage.begin()
    #expect(!outage.enter { true })
    outage.waitForReturn { true }
    #expect(outage.isAway)
    outage.end()
    #expect(outage.enter { true })
  }
}

@Suite("Marks of commits that may be lost") struct UndoneMarksTests {
  private func mark(_ commit: UInt64, isAbsent: Bool = false) -> AnswerOracle.Mark {
    AnswerOracle.Mark(commit: commit, isAbsent: isAbsent)
  }

  /// Each commit writes some rows; the first so many are acknowledged, and all up to `there` are there in the end.
  @Test(arguments: 0...4, 0...4)
  func `are put back to what is there`(acknowledged: UInt64, there: UInt64) {
    guard acknowledged <= there else { return }
    let undone = UndoneMarks()
    let oracle = AnswerOracle(rows: 3, undone: undone)
    let plain = AnswerOracle(rows: 3)
    for commit in UInt64(1)...4 {
      for row in 0..<3 where (Int(commit) + row) % 2 == 0 {
        let isAbsent = commit == 3
        oracle.set(mark(commit, isAbsent: isAbsent), of: .object, row: row)
        // One commit may write a row twice.
        oracle.set(mark(commit), of: .object, row: row)
        if commit <= there { plain.set(mark(commit), of: .object, row: row) }
      }
      if commit == acknowledged { undone.forget(through: commit) }
    }
    undone.restore(after: there)
    for row in 0..<3 { #expect(oracle.mark(of: .object, row: row) == plain.mark(of: .object, row: row)) }
    // And nothing is remembered of before.
    undone.restore(after: 0)
    for row in 0..<3 { #expect(oracle.mark(of: .object, row: row) == plain.mark(of: .object, row: row)) }
  }
}
