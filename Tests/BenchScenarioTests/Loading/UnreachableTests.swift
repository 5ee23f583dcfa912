internal import Testing

@testable import BenchResults
@testable import BenchScenario

/// Requests of scenarios that no run could ever measure.
@Suite("Requests that can never be measured are rejected")
struct UnreachableTests {
  private func found(_ overrides: (String, String)...) -> [String] {
    problems(in: smallScenario, overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) })
  }

  private func expectations(_ claims: String...) -> (String, String) {
    ("expect", "[" + claims.map { "\"\($0)\"" }.joined(separator: ", ") + "]")
  }

  @Test("a phase does not end by commits or rows that nothing makes")
  func countsOfNothing() {
    let commits = found(("actors.write.operations", "{get: 1}"), ("phases.run.commits", "5"))
    let nothing = "nothing in the phase commits; add an actor that writes, or leave it out"
    #expect(commits.contains { $0.hasSuffix(nothing) })
    let rows = found(("actors.write.operations", "{touch: 1}"), ("phases.run.rows", "5"))
    let expected = "nothing in the phase writes or removes rows; add such an actor, or leave it out"
    #expect(rows.contains { $0.hasSuffix(expected) })
    for verb in ["set", "remove", "setMetadata", "transfer(2)"] {
      let write = ("actors.write.operations", "{\(verb): 1}")
      let found = found(write, ("phases.run.rows", "5"), ("phases.run.commits", "5"))
      #expect(!found.contains { $0.contains("nothing in the phase") }, "\(found)")
    }
  }

  @Test("two actors cannot move one pool in turn")
  func sharedPools() {
    let pool = ("connections.one", "{count: 2}")
    let read = ("actors.read.snapshot", "{longLived: behind(1)}")
    let write = (
      "actors.write", "{connection: one, operations: {get: 1}, collection: items, snapshot: {longLived: behind(1)}}"
    )
    let expected =
      "the actors \"read\" and \"write\" both move the connections of one pool in turn; give each a pool of its own"
    let found = found(pool, read, write, ("connections.two", "{}"))
    #expect(found.count(where: { $0.hasSuffix(expected) }) == 1, "\(found)")
    // With separate pools, the problem is gone.
    let apart = self.found(pool, read, write, ("connections.two", "{count: 2}"), ("actors.write.connection", "two"))
    #expect(!apart.contains { $0.contains("in turn; give") }, "\(apart)")
  }

  @Test("a collection has room for the rows that its actors insert")
  func roomForInserts() {
    let insert = [("dataset.items.inserts", "1k"), ("actors.write.operations", "{insert: 1}")]
    func problems(count: String, phases: String, _ others: (String, String)...) -> [String] {
      let overrides = insert + [("actors.write.operationCount", count), ("phases", phases)] + others
      return BenchScenarioTests.problems(
        in: smallScenario,
        overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) }
      )
      .filter { $0.contains("room for") }
    }
    let (once, twice) = (
      "[{name: run, actors: [read, write]}]", "[{name: warm, actors: [write]}, {name: run, actors: [read, write]}]"
    )
    #expect(problems(count: "1k", phases: once).isEmpty && problems(count: "500", phases: twice).isEmpty)
    let found = problems(count: "501", phases: twice)
    let expected = "the actors insert 1002 rows into \"items\", which has room for 1000; write inserts: 1002"
    #expect(found.count == 1 && found.allSatisfy { $0.hasSuffix(expected) })
    // The last transaction is a whole one, if all have the same size.
    for (size, needed) in [("300", 1_200), ("1000", nil), ("1..300", nil)] as [(String, Int?)] {
      let found = problems(count: "1k", phases: once, ("actors.write.transaction.operations", size))
      #expect(found.map { $0.contains("insert \(needed ?? 0) rows") } == (needed == nil ? [] : [true]), "\(found)")
    }
    // The time may end the phase before the count.
    #expect(problems(count: "2k", phases: "[{name: run, for: 1s, actors: [read, write]}]").isEmpty)
  }

  @Test("a rate at the end needs a phase that a condition ends")
  func endRates() {
    let ramp = ("actors.read.load", "{ramp: {from: 1/s, to: 5/s}}")
    let expected = expectations("run/read load.endRate > 1/s")
    let reason = "the phase ends when its loads end; give it a condition, such as until: \"wal.bytes > 64MiB\""
    #expect(found(ramp, expected).contains { $0.hasSuffix(reason) })
    #expect(found(ramp, expected, ("phases.run.operations", "5")).isEmpty)
  }

  @Test("a null driver supports no invariant")
  func invariantsOfNull() {
    #expect(
      found(("engine", "{driver: null}")) == [
        "s.yaml:30:1: error: the driver \"null\" keeps no data, so no invariant can be checked; leave \"invariants\" "
          + "out, or choose another driver"
      ]
    )
    #expect(found(("engine", "{driver: null}"), ("invariants", "[]")) == [])
  }

  @Test("a null driver has no options")
  func optionsOfNull() {
    let options = ScenarioGrammar.engine.grammar.names.filter { $0 != "driver" }
    #expect(options.count == 10)
    for option in options {
      let refusal = "the driver \"null\" has no option \"\(option)\"; leave it out"
      let text = smallScenario(line: 5, "engine: {driver: null, \(option): 1s}")
      #expect(problems(in: text).contains("s.yaml:5:24: error: \(refusal)"))
    }
  }

  // Five metrics have other reasons: dropped arrivals need an actor with a deadline, recoveries need a phase that ends
  // the engine, deadlocks need an actor that could detect some, reads of changed rows an actor that reacts, and rates
  // at the end a load whose rate changes.
  @Test(
    "a null driver has no metrics of an engine",
    arguments: Metric.allCases.filter { metric in
      ![.harnessDropped, .deadlocks, .notificationToRead, .loadEndRate].contains(metric)
        && !metric.rawValue.hasPrefix("recovery.") && metric.driver == nil
    }
  )
  func metricsOfNull(_ metric: Metric) {
    let value =
      switch metric.unit {
      case .nanoseconds: "5ms"
      case .bytes: "5MiB"
      case .perSecond: "5/s"
      case .share: "5%"
      default: "5"
      }
    let aggregate = metric.aggregates.isEmpty ? "" : ".max"
    let claim = expectations("run \(metric.rawValue)\(aggregate) < \(value)")
    let families = [
      "wal.", "pin.", "snapshot.", "changes.", "cache.", "checkpoint.", "lane.", "writeLane.", "notification.",
      "io.", "storage.",
    ]
    let isShown = families.contains { metric.rawValue.hasPrefix($0) }
    let reason = "the driver \"null\" has no \"\(metric.rawValue)\", since it keeps no data; choose another driver"
    #expect(
      found(claim, ("engine", "{driver: null}"), ("invariants", "[]"))
        == (isShown ? ["--set:1:9: error: unreachable expectation: \(reason)"] : [])
    )
    #expect(found(claim) == [])
    guard metric.isSampled else { return }
    let text = smallScenario(line: 25, "    until: \(metric.rawValue) < \(value)\n    within: 5s")
    let overrides = [("engine", "{driver: null}"), ("invariants", "[]"), ("expect", "[]")]
    #expect(
      problems(in: text, overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) })
        == (isShown ? ["s.yaml:25:12: error: unreachable condition: \(reason)"] : [])
    )
  }

  @Test("a metric that only one engine has needs its driver", arguments: Metric.allCases.filter { $0.driver != nil })
  func metricsOfOneEngine(_ metric: Metric) throws {
    let limit =
      switch metric.unit {
      case .bytes: "5MiB"
      case .nanoseconds: "5ms"
      default: "5"
      }
    let claim = expectations("run \(metric.rawValue).max < \(limit)")
    let owner = try #require(metric.driver)
    let reason = "only the driver \"\(owner)\" has it; choose that driver"
    #expect(
      found(claim) == [
        "--set:1:9: error: unreachable expectation: the driver \"yap\" has no \"\(metric.rawValue)\", since \(reason)"
      ]
    )
    #expect(found(claim, ("engine", "{driver: \(owner)}"), ("connections", "{one: {}, two: {}}")) == [])
  }

  @Test("a level of synchronous that a driver cannot equal")
  func synchronousLevel() {
    let own = ("connections", "{one: {}, two: {}}")
    #expect(
      found(("engine", "{driver: lmdb, synchronous: normal}"), own) == [
        "--set:1:23: error: the driver \"lmdb\" has no \"normal\": it has no level with the same durability; write "
          + "\"off\" or \"full\""
      ]
    )
    #expect(found(("engine", "{driver: lmdb, synchronous: full}"), own) == [])
    #expect(found(("engine", "{driver: rocksdb, synchronous: normal}"), own) == [])
  }

  @Test("a misspelt driver is not treated as null")
  func misspeltDriver() {
    let claim = expectations("run wal.bytes.max < 5MiB")
    #expect(
      found(claim, ("engine.driver", "nul")) == [
        "--set:2:15: error: expected a driver: yap, sqlite, grdb, lmdb, rocksdb, null, found \"nul\"; did you mean "
          + "\"null\"?"
      ]
    )
  }

  @Test("an operation in a transaction of several operations has only a service time", arguments: ["response", "wait"])
  func operationOfSeveral(_ metric: String) {
    let claim = expectations("run/write.set \(metric).p99 < 5ms")
    #expect(found(claim) == [])
    #expect(
      found(claim, ("actors.write.transaction", "{operations: 1..8}")) == [
        "--set:1:9: error: unreachable expectation: an operation of a transaction with up to 8 operations has only a "
          + "service time; write \"service\", or leave out \".set\""
      ]
    )
    let whole = expectations("run/write \(metric).p99 < 5ms", "run \(metric).p99 < 5ms")
    #expect(found(("actors.write.transaction", "{operations: 1..8}"), whole) == [])
    let others = expectations("run/write.set service.p99 < 5ms", "run/write.set throughput.mean > 5/s")
    #expect(found(("actors.write.transaction", "{operations: 1..8}"), others) == [])
  }

  @Test("the transaction that the phase sets decides")
  func operationOfPhase() {
    let claim = expectations("run/write.set response.p99 < 5ms")
    let one = ("phases.run.actors", "{read: {}, write: {transaction: {operations: 1}}}")
    #expect(found(("actors.write.transaction", "{operations: 1..8}"), one, claim) == [])
    let several = ("phases.run.actors", "{read: {}, write: {transaction: {operations: 2}}}")
    #expect(found(several, claim).count == 1)
  }

  @Test("the move of a snapshot has only a service time and a throughput")
  func advance() {
    let moving = ("actors.read.snapshot", "{longLived: onNotification}")
    #expect(
      found(moving, expectations("run/read.advance service.p99 < 5ms", "run/read.advance throughput.mean > 5/s")) == []
    )
    let reason =
      "unreachable expectation: the move of a snapshot is not a transaction and has only a service time; write "
      + "\"service\""
    #expect(found(expectations("run/read.advance response.p99 < 5ms"), moving) == ["--set:1:9: error: " + reason])
    #expect(found(expectations("run/read.advance wait.p99 < 5ms"), moving) == ["--set:1:9: error: " + reason])
  }

  @Test(
    "waits for lanes are of whole transactions with synchronous calls, and for writers only of read-write transactions"
  )
  func lanes() {
    let reason = "--set:1:9: error: unreachable expectation: "
    for metric in ["lane.wait", "writeLane.wait"] {
      #expect(found(expectations("run/write \(metric).p99 < 5ms", "run \(metric).max < 5ms")) == [])
      #expect(
        found(expectations("run/write.set \(metric).p99 < 5ms"))
          == [reason + "the whole transaction waits; leave out the operation"]
      )
      #expect(
        found(expectations("run/write \(metric).p99 < 5ms"), ("actors.write.transaction", "{api: async}"))
          == [reason + "waits of asynchronous calls are not timed; write \"api: sync\""]
      )
      let plain = [("engine", "{driver: sqlite}"), ("connections", "{one: {}, two: {}}")]
      #expect(found(expectations("run \(metric).p99 < 5ms"), plain[0], plain[1]) == [])
    }
    #expect(found(expectations("run/read lane.wait.p99 < 5ms")) == [])
    #expect(
      found(expectations("run/read writeLane.wait.p99 < 5ms"))
        == [reason + "an actor that only reads never waits for writers; name one that writes"]
    )
  }

  @Test("plain SQLite has no notifications, so none can be late")
  func notificationLag() {
    let claim = expectations("run notification.lag.p99 < 5ms")
    #expect(found(claim) == [])
    let own = ("connections", "{one: {}, two: {}}")
    #expect(
      found(claim, ("engine", "{driver: sqlite}"), own) == [
        "--set:1:9: error: unreachable expectation: the driver \"sqlite\" has no \"notification.lag\", since it "
          + "does not report which rows other connections have changed; choose another driver"
      ]
    )
  }

  @Test("only an actor that reacts to notifications has the time until the changed row is read")
  func notificationToRead() {
    let claims = expectations("run/read notification.toRead.p99 < 5ms", "run notification.toRead.max < 1s")
    let reacting = ("actors.read.snapshot", "{longLived: onNotification, react: all}")
    #expect(found(claims, reacting) == [])
    let reason =
      "unreachable expectation: no actor there reads what a notification reports; give one \"snapshot: {longLived: "
      + "onNotification, react: all}\""
    #expect(found(claims) == ["--set:1:9: error: " + reason, "--set:1:51: error: " + reason])
    #expect(
      found(expectations("run/read.get notification.toRead.p99 < 5ms"), reacting) == [
        "--set:1:9: error: unreachable expectation: changed rows are read beside the operations; leave out the "
          + "operation"
      ]
    )
  }

  @Test("a reader reacts only to moves that follow the notifications, with a driver that reports changed rows")
  func reactions() {
    for move in ["every(16ms)", "onNotification"] {
      #expect(found(("actors.read.snapshot", "{longLived: \(move), react: 20}")) == [])
    }
    for move in ["never", "after(1s)"] {
      #expect(
        found(("actors.read.snapshot", "{longLived: \(move), react: 20}")) == [
          "--set:1:13: error: \"react\" reads rows when the snapshot moves by itself to each change; write "
            + "\"longLived: onNotification\" or \"longLived: every(16ms)\""
        ]
      )
    }
    let own = ("connections", "{one: {}, two: {}}")
    #expect(
      found(("actors.read.snapshot", "{longLived: onNotification, react: all}"), ("engine", "{driver: sqlite}"), own)
        == [
          "--set:1:13: error: the driver \"sqlite\" has no \"react\": it does not report which rows other "
            + "connections have changed; leave it out"
        ]
    )
  }

  @Test("a closed load has only service times", arguments: ["response", "wait"])
  func closedLoads(_ metric: String) {
    let reason = "unreachable expectation: a closed load has no \"\(metric)\"; write \"service\", or give a rate"
    #expect(
      found(expectations("run/read \(metric).p99 < 5ms", "run/read.get \(metric).p99 < 5ms")) == [
        "--set:1:9: error: " + reason, "--set:1:\(13 + metric.count + 19): error: " + reason,
      ]
    )
    // One open load among the actors of a phase is enough.
    #expect(found(expectations("run \(metric).p99 < 5ms")) == [])
    #expect(found(expectations("run \(metric).p99 < 5ms"), ("actors.write.load", "closed")).count == 1)
  }

  @Test("nothing is said of an expectation whose actor has a problem")
  func brokenActors() {
    let claims = expectations("run/write response.p99 < 5ms", "run response.p99 < 5ms", "run harness.dropped == 0")
    #expect(found(claims, ("actors.write.load", "{rate: 5}")).map { $0.prefix(18) } == ["--set:2:26: error:"])
  }

  @Test("only a read of one row has an outcome, and only a service time and a throughput by outcome")
  func outcomes() {
    #expect(
      found(expectations("run/read.get.reread service.p99 < 5ms", "run/read.get.hit throughput.mean > 5/s")) == []
    )
    let reason = "--set:1:9: error: unreachable expectation: "
    #expect(
      found(expectations("run/read.get.hit response.p99 < 5ms"))
        == [reason + "the reads with one outcome have only a service time; write \"service\""]
    )
    #expect(
      found(expectations("run/write.set.hit service.p99 < 5ms")) == [
        reason + "\"set\" does not read a single row, so it has no cache outcome; leave out \".hit\""
      ]
    )
    #expect(
      found(expectations("run/read.get.reraed service.p99 < 5ms"))
        == ["--set:1:9: error: a read has no outcome \"reraed\"; did you mean \"reread\"?"]
    )
    let own = ("connections", "{one: {}, two: {}}")
    #expect(
      found(expectations("run/read.get.miss service.p99 < 5ms"), ("engine", "{driver: sqlite}"), own) == [
        reason + "the driver \"sqlite\" has no caches, so its reads have no outcomes; leave out \".miss\", or choose "
          + "another driver"
      ]
    )
    let killed = ("phases.run.events", "[{at: 1s, do: kill}]")
    #expect(
      found(expectations("run/read.get.miss service.p99 < 5ms"), killed) == [
        reason + "the event \"kill\" makes the engine run in another process, where reads have no outcomes; "
          + "leave out \".miss\""
      ]
    )
  }

  @Test("the throughput of one operation is known only for the whole phase")
  func throughputOfOperation() {
    #expect(found(expectations("run/read.get throughput.mean > 5/s", "run/read throughput.min > 5/s")) == [])
    let reason =
      "unreachable expectation: operations are not counted per second; write \"throughput.mean\", or leave out the "
      + "operation"
    #expect(found(expectations("run/read.get throughput.min > 5/s")) == ["--set:1:9: error: " + reason])
  }
}
