import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// A pattern of transactions that wait for each other, and the expected results of its calls.
struct DeadlockPattern: Sendable {
  let name: String
  /// The numbers of calls that fail with `nestedTransaction` and with `deadlock`; all others succeed.
  var nested = 0
  var deadlocks = 0
  let play: @Sendable (DeadlockPlay) throws -> Void

  static func named(_ name: String) -> DeadlockPattern? { all.first { $0.name == name } }

  static let all = alone + together + queued

  /// Patterns of one thread.
  private static let alone: [DeadlockPattern] = [
    DeadlockPattern(name: "a.read { a.read }", nested: 1) { play in
      try play.a.read { _ in play.note { try play.a.read { _ in } } }
    },
    DeadlockPattern(name: "a.read { a.readWrite }", nested: 1) { play in
      try play.a.read { _ in play.note { try play.write(play.a) } }
    },
    DeadlockPattern(name: "a.readWrite { a.read }", nested: 1) { play in
      try play.a.readWrite { _ in play.note { try play.a.read { _ in } } }
    },
    DeadlockPattern(name: "a.readWrite { a.readWrite }", nested: 1) { play in
      try play.a.readWrite { _ in play.note { try play.write(play.a) } }
    },
    DeadlockPattern(name: "a.readWrite { b.readWrite }", nested: 1) { play in
      try play.a.readWrite { _ in play.note { try play.write(play.b) } }
    },
    DeadlockPattern(name: "a.readWrite { b.read { a.read } }", nested: 1) { play in
      try play.a.readWrite { _ in try play.b.read { _ in play.note { try play.a.read { _ in } } } }
    },
    DeadlockPattern(name: "a.read { a.begin }", nested: 1) { play in
      try play.a.read { _ in play.note { try play.a.beginLongLivedReadTransaction() } }
    },
    DeadlockPattern(name: "a.read { a.end }", nested: 1) { play in
      try play.a.read { _ in play.note { try play.a.endLongLivedReadTransaction() } }
    },
    DeadlockPattern(name: "a.read { close }", nested: 1) { play in
      try play.a.read { _ in play.note { try play.database.close() } }
    },
    DeadlockPattern(name: "a.readWrite { close }", nested: 1) { play in
      try play.a.readWrite { _ in play.note { try play.database.close() } }
    },
    DeadlockPattern(name: "a.read { b.read { c.read } }") { play in
      try play.a.read { _ in try play.b.read { _ in try play.c.read { _ in } } }
    },
    DeadlockPattern(name: "a.read { b.readWrite }, with nothing read by a") { play in
      try play.a.read { _ in try play.write(play.b) }
    },
    DeadlockPattern(name: "a.readWrite { b.read }") { play in
      try play.a.readWrite { _ in try play.b.read { _ in } }
    },
    DeadlockPattern(name: "a.readWrite { another database's readWrite }") { play in
      try play.a.readWrite { _ in try play.write(play.elsewhere) }
    },
    DeadlockPattern(name: "asynchronous calls inside transactions") { play in
      let done = SharedList<Int>()
      try play.a.read { _ in play.a.asyncReadWrite({ try play.put($0) }, completion: { _ in done.append(1) }) }
      try play.a.readWrite { _ in
        play.a.asyncReadWrite({ try play.put($0) }, completion: { _ in done.append(2) })
        play.b.asyncReadWrite({ try play.put($0) }, completion: { _ in done.append(3) })
        play.b.asyncRead({ _ in done.append(4) })
      }
      guard eventually({ done.all.count == 4 }) else { throw Discrepancy("done: \(done.all)") }
    },
  ]

  /// Patterns of threads that are each in one transaction before they begin the next one.
  private static let together: [DeadlockPattern] = [
    DeadlockPattern(name: "a.read { b.read } beside b.read { a.read }", deadlocks: 1) { play in
      try play.cross([{ try play.a.read($0) }, { try play.b.read($0) }])
    },
    DeadlockPattern(name: "a.read { b.read } beside b.read { c.read } beside c.read { a.read }", deadlocks: 1) { play in
      try play.cross([{ try play.a.read($0) }, { try play.b.read($0) }, { try play.c.read($0) }])
    },
    DeadlockPattern(name: "crossing reads of two databases", deadlocks: 1) { play in
      try play.cross([{ try play.a.read($0) }, { try play.elsewhere.read($0) }])
    },
    DeadlockPattern(name: "a.read { b.begin } beside b.read { a.begin }", deadlocks: 1) { play in
      try play.beside(
        { step in
          try play.a.read { _ in
            step(); play.note { try play.b.beginLongLivedReadTransaction() }
          }
        },
        { step in
          try play.b.read { _ in
            step(); play.note { try play.a.beginLongLivedReadTransaction() }
          }
        }
      )
    },
    DeadlockPattern(name: "a.read { b.readWrite } beside c.readWrite { a.read }", deadlocks: 1) { play in
      try play.beside(
        { step in
          try play.a.read { _ in
            step(); play.note { try play.write(play.b) }
          }
        },
        { step in
          try play.c.readWrite { _ in
            step(); play.note { try play.a.read { _ in } }
          }
        }
      )
    },
    DeadlockPattern(name: "jobs: a { b.read } beside b { a.read }", deadlocks: 1) { play in
      try play.crossJobs()
    },
    DeadlockPattern(name: "getters and setters inside, beside a write that waits") { play in
      try play.beside(
        { step in
          try play.a.readWrite { _ in
            step(); play.askEverything(play.b); play.askEverything(play.a)
          }
        },
        { step in
          try play.b.read { _ in
            step(); play.askEverything(play.a); play.askEverything(play.b)
          }
        }
      )
    },
  ]

  /// Patterns of a write that holds its connection's lane and waits for the write lane.
  private static let queued: [DeadlockPattern] = [
    DeadlockPattern(
      name: "b.readWrite { a.read }, a.readWrite waits to be committed with it",
      deadlocks: TestHooks.areBuiltIn ? 1 : 0
    ) { play in
      let outcomes = writeTogether([
        Writing(play.a) { try play.put($0) },
        Writing(play.b) { _ in play.note { try play.a.read { _ in } } },
      ])
      guard outcomes[0].number != nil else { throw Discrepancy("the one that waited ended with \(outcomes[0])") }
    },
    DeadlockPattern(name: "a.readWrite { b.read }, b.readWrite waits already", deadlocks: 1) { play in
      try play.besideQueuedWrite { try WorkerThread(name: "b") { play.succeed { try play.write(play.b) } } }
    },
    DeadlockPattern(name: "a.readWrite { b.read }, b.asyncReadWrite waits already", deadlocks: 1) { play in
      try play.besideQueuedWrite {
        play.b.asyncReadWrite { try play.put($0) }
        return nil
      }
    },
    DeadlockPattern(name: "a.readWrite { b.read } waits already when b.readWrite comes to wait", deadlocks: 1) { play in
      try play.beforeWrite { body in try WorkerThread(name: "b") { play.b.lane.withLane(body) } }
    },
    DeadlockPattern(name: "a.readWrite { b.read } waits already when b.asyncReadWrite comes to wait", deadlocks: 1) {
      play in
      try play.beforeWrite { body in
        play.b.lane.enqueue(body)
        return nil
      }
    },
    DeadlockPattern(name: "a.readWrite { b.read { c.read } }, c.asyncReadWrite waits already", deadlocks: 1) { play in
      try play.a.readWrite { transaction in
        play.c.asyncReadWrite { try play.put($0) }
        play.waitUntilWriterIsAwaited(by: play.c)
        try play.b.read { _ in play.note { try play.c.read { _ in } } }
        try play.put(transaction)
      }
    },
  ]
}
