import HarnessPrimitives
import SQLiteBinding
import Synchronization
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Writers, readers, long-lived readers and short-lived connections, each on a thread of its own.
///
/// Every reader compares each snapshot with the state of its number, and bookmarks check that they get each commit
/// once. The trial is limited by counts of operations, not by time.
struct ThreadedTrial {
  let options: YapDatabaseOptions
  let seed: UInt64

  private let crew = Crew()

  init(options: YapDatabaseOptions, seed: UInt64) {
    self.options = options
    self.seed = seed
  }

  func run(path: String, commits: Int) -> Discrepancy? {
    Discrepancy.first {
      let database = try YapDatabase(path: path, options: options)
      let listener = Listener(database)
      for index in 0..<2 { try addWriter(database, index, commits: commits / 2) }
      for index in 0..<2 { try addReader(database, index, reads: commits * 2) }
      for index in 0..<2 { try addBookmark(database, index, moves: commits / 2) }
      try addChurn(database, connections: commits / 8)
      if let found = crew.run() { throw found }
      try checkAfterwards(database, listener)
      try database.close()
      let handle = try SQLiteHandle(path: path)
      try Discrepancy.check(try handle.text("PRAGMA integrity_check"), "ok", "integrity of the file")
      try handle.close()
    }
  }

  private func addWriter(_ database: YapDatabase, _ index: Int, commits: Int) throws {
    let connection = try database.newConnection(name: "writer \(index)")
    let seed = seed &+ UInt64(index)
    try crew.add(connection.name) {
      var random = RandomStream(seed: seed)
      var left = commits
      while left > 0, !crew.hasFailed {
        let isRolledBack = random.chance(oneIn: 10)
        let number = try connection.readWrite { transaction in
          try NumberedState.write(transaction)
          try NumberedState.check(transaction)
          if isRolledBack { try transaction.rollback() }
          return transaction.snapshot
        }
        if isRolledBack { continue }
        left -= 1
        guard database.snapshot >= number else { throw Discrepancy("commit \(number) is not known after its end") }
      }
    }
  }

  private func addReader(_ database: YapDatabase, _ index: Int, reads: Int) throws {
    let connection = try database.newConnection(name: "reader \(index)")
    connection.objectCacheLimit = index == 0 ? 3 : 250
    try crew.add(connection.name) {
      var last: UInt64 = 0
      for _ in 0..<reads where !crew.hasFailed {
        let atLeast = max(last, database.snapshot)
        last = try connection.read { transaction in
          try NumberedState.check(transaction)
          return transaction.snapshot
        }
        guard last >= atLeast else { throw Discrepancy("went back from \(atLeast) to \(last)") }
      }
    }
  }

  private func addBookmark(_ database: YapDatabase, _ index: Int, moves: Int) throws {
    let connection = try database.newConnection(name: "bookmark \(index)")
    let seed = seed &+ 100 &+ UInt64(index)
    try crew.add(connection.name) {
      var random = RandomStream(seed: seed)
      try connection.beginLongLivedReadTransaction()
      var told = connection.snapshot
      for _ in 0..<moves where !crew.hasFailed {
        for _ in 0..<random.below(4) {
          try connection.read { transaction in
            try Discrepancy.check(transaction.snapshot, told, "snapshot of a bookmark")
            try NumberedState.check(transaction)
          }
        }
        let newest = database.snapshot
        let ends = random.chance(oneIn: 8)
        let jumped =
          try ends
          ? connection.endLongLivedReadTransaction() ?? [] : connection.beginLongLivedReadTransaction()
        let now = jumped.last?.snapshot ?? told
        if !ends { try Discrepancy.check(connection.snapshot, now, "snapshot after a jump") }
        guard now >= newest else { throw Discrepancy("a jump to \(now) left out commits up to \(newest)") }
        try Discrepancy.check(jumped.map(\.snapshot), (told..<now).map { $0 + 1 }, "commits told by a jump")
        try Discrepancy.check(jumped.map { $0.customObject as? UInt64 }, (told..<now).map { $0 + 1 }, "custom objects")
        told = now
        // Between the end and the next beginning a sweep may absorb commits, so the count restarts.
        if ends {
          try connection.beginLongLivedReadTransaction()
          told = connection.snapshot
        }
      }
      try connection.endLongLivedReadTransaction()
    }
  }

  private func addChurn(_ database: YapDatabase, connections: Int) throws {
    try crew.add("churn") {
      let completions = Atomic<Int>(0)
      for index in 0..<connections where !crew.hasFailed {
        let connection = try database.newConnection()
        if index % 3 == 0 { try connection.beginLongLivedReadTransaction() }
        if index % 2 == 0 { try connection.read { try NumberedState.check($0) } }
        let completed = SharedList<Bool>()
        connection.asyncRead(
          { try NumberedState.check($0) },
          completion: { error in
            if let error { crew.report(Discrepancy("an asynchronous read failed: \(error)")) }
            completed.append(true)
          }
        )
        if index % 5 == 0, !eventually({ !completed.all.isEmpty }) { throw Discrepancy("a completion did not come") }
        completions.add(1, ordering: .relaxed)
      }
    }
  }

  private func checkAfterwards(_ database: YapDatabase, _ listener: Listener) throws {
    let newest = database.snapshot
    guard eventually({ listener.told.all.count >= newest }) else {
      throw Discrepancy("\(listener.told.all.count) notifications of \(newest) commits came")
    }
    try Discrepancy.check(listener.told.all.map(\.snapshot), Array(1...newest), "notifications")
    guard eventually({ database.statistics.connections.allSatisfy { $0.pendingCommits == 0 } }) else {
      throw Discrepancy("idle connections do not catch up: \(database.statistics.connections)")
    }
    guard eventually({ database.statistics.walBacklogFrames == 0 }) else {
      throw Discrepancy("the WAL is not copied at rest: \(database.statistics)")
    }
  }
}
