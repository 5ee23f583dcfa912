import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The proof that a guard prevents a restart of the WAL, by SQLite's rules of what a reader reads.
@Suite struct GuardCoverageTests {
  /// SQLite's WAL and one checkpointer, by the rules of wal.c. A reader that begins when all frames are copied reads
  /// only the database file. A commit whose writer begins in that state, while no connection reads from the WAL,
  /// restarts it.
  private struct Model {
    var frames = 0
    var copied = 0
    var snapshot: UInt64 = 0
    var coverage = GuardCoverage(openedAt: 0)
    var guardReadsWAL = false

    mutating func commit(_ count: Int) {
      for _ in 0..<count {
        if frames == copied, !guardReadsWAL { (frames, copied) = (0, 0) }
        frames += 1
        snapshot += 1
      }
    }

    /// Performs one checkpoint, with the given number of commits at each point where commits are possible.
    mutating func checkpoint(onLane: Bool, _ between: [Int]) throws(Discrepancy) {
      if onLane {
        copied = frames
        coverage.recordCopy(through: snapshot)
        return
      }
      commit(between[0])
      let seen = snapshot
      let readsWAL = copied < frames
      let mark = frames
      guard coverage.covers(seen) else { return }
      guard readsWAL else { throw Discrepancy("a guard at \(seen) guards nothing: \(self)") }
      guardReadsWAL = true
      commit(between[1])
      let length = frames
      commit(between[2])
      copied = max(copied, min(mark, length))
      guardReadsWAL = false
      commit(between[3])
      if copied == length { coverage.recordCopy(through: snapshot) }
    }

    mutating func mark() {
      frames += 1
      coverage.recordMarker()
    }
  }

  @Test func `in every interleaving a covered guard reads from the WAL`() throws {
    try explore(Model(), depth: 4)
  }

  private func explore(_ model: Model, depth: Int) throws {
    guard depth > 0 else { return }
    for counts in 0..<16 {
      let between = (0..<4).map { counts >> $0 & 1 }
      var next = model
      try next.checkpoint(onLane: false, between)
      try explore(next, depth: depth - 1)
    }
    for action in 0..<3 {
      var next = model
      switch action {
      case 0: next.commit(1)
      case 1: try next.checkpoint(onLane: true, [])
      default: next.mark()
      }
      try explore(next, depth: depth - 1)
    }
  }

  @Test func `commits after a complete copy are covered, and those up to it are not`() {
    var coverage = GuardCoverage(openedAt: 5)
    #expect(!coverage.covers(5))
    #expect(coverage.covers(6))
    coverage.recordCopy(through: 9)
    #expect(!coverage.covers(9))
    #expect(coverage.covers(10))
    coverage.recordMarker()
    #expect(coverage.covers(0))
    coverage.recordCopy(through: .max)
    #expect(!coverage.covers(.max))
  }

  #if TestPoints
    /// SQLite's results of a checkpoint that a reader limited, of one that copied all frames, and of one inside that.
    @Test func `only a checkpoint that began to copy can have copied all frames`() throws {
      try withTemporaryFolder { folder in
        let (first, second) = (try SQLiteHandle(path: folder + "/a"), try SQLiteHandle(path: folder + "/a"))
        try first.execute("PRAGMA journal_mode = wal; CREATE TABLE t(a); INSERT INTO t VALUES (1)")
        try second.execute("BEGIN; SELECT * FROM t")
        try first.execute("INSERT INTO t VALUES (2)")
        let partial = try first.checkpoint(.passive)
        #expect(partial.framesInWAL != partial.framesCopied && !GuardCoverage.mayHaveCopiedAll(partial))
        // The hook is called in a checkpoint of frames that another handle has written.
        try second.execute("COMMIT; INSERT INTO t VALUES (3)")
        let results = SharedList<SQLiteCheckpointResult>()
        // The outer checkpoint waits for the hook, so one thread at a time uses the inner handle.
        nonisolated(unsafe) let inner = second
        first.onCheckpointStep { if let result = try? inner.checkpoint(.passive) { results.append(result) } }
        let complete = try first.checkpoint(.passive)
        #expect(complete.framesInWAL == complete.framesCopied && GuardCoverage.mayHaveCopiedAll(complete))
        let busy = try #require(results.all.first)
        #expect(busy.isBusy && busy.framesInWAL == nil && !GuardCoverage.mayHaveCopiedAll(busy))
        #expect(GuardCoverage.mayHaveCopiedAll(nil))
        try first.close()
        try second.close()
      }
    }
  #endif
}
