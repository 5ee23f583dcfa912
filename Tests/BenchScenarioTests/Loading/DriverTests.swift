internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Features that a driver lacks are rejected before anything runs")
struct DriverTests {
  /// The small scenario for plain SQLite, whose connections have no options.
  private func sqlite(_ overrides: (String, String)...) -> [String] {
    let all = [("connections.one", "{}"), ("engine", "{driver: sqlite}")] + overrides
    return problems(in: smallScenario, overrides: all.map { ScenarioOverride(path: $0.0, value: $0.1) })
  }

  @Test("and features that it has are accepted")
  func allowed() {
    #expect(sqlite() == [])
    let options = "{driver: sqlite, synchronous: off, pageSize: 8KiB, mmapSize: 1MiB, journalSizeLimit: 1MiB, "
    #expect(sqlite(("engine", options + "busyTimeout: 1s, checkpoint: {mode: restart, every: 1s}}")) == [])
    #expect(sqlite(("actors.read.operations", "{scan(5): 1}"), ("connections.one", "{count: 3}")) == [])
  }

  @Test("options of the engine and of connections")
  func options() {
    #expect(
      sqlite(("engine", "{driver: sqlite, defaultObjectPolicy: share}"))
        == ["--set:3:25: error: the driver \"sqlite\" has no option \"defaultObjectPolicy\"; leave it out"]
    )
    #expect(
      sqlite(("connections.one", "{objectCacheLimit: 5}"))
        == ["--set:3:18: error: a connection of the driver \"sqlite\" has no option \"objectCacheLimit\"; leave it out"]
    )
  }

  @Test("operations, calls and invariants")
  func words() {
    #expect(
      sqlite(("actors.write.operations", "{touch: 1}"))
        == [
          "--set:3:14: error: the driver \"sqlite\" has no operation \"touch\": it does not report which rows "
            + "other connections have changed, so a touch has no effect; leave it out"
        ]
    )
    #expect(
      sqlite(("actors.write.operations", "{nestedRead(one): 1}"))
        == [
          "--set:3:14: error: the driver \"sqlite\" has no operation \"nestedRead(one)\": it detects no deadlocks, "
            + "so it could wait for itself forever; leave it out, or choose the driver \"yap\""
        ]
    )
    let null = [
      ("invariants", "[]"), ("engine", "{driver: null}"), ("actors.read.operations", "{nestedWrite(two): 1}"),
    ]
    let found = problems(in: smallScenario, overrides: null.map { ScenarioOverride(path: $0.0, value: $0.1) })
    #expect(found.count == 1 && found[0].contains("the driver \"null\" has no operation \"nestedWrite(two)\""))
    #expect(sqlite(("actors.read.transaction", "{api: async}")).first?.contains("has no asynchronous calls") == true)
    for invariant in ["exactlyOnceNotifications", "cacheCoherence", "noAliasing"] {
      let found = sqlite(("invariants", "[\(invariant)]"))
      #expect(found.count == 1)
      #expect(found.first?.contains("\"\(invariant)\" cannot be checked with the driver \"sqlite\"") == true)
    }
  }

  @Test("events")
  func events() {
    let all = "[{at: 0s, do: checkpoint(full)}, {at: 0s, do: flushMemory}, {at: 1s, do: vacuum}]"
    #expect(sqlite(("phases.run.events", all)) == [])
    let null = [("invariants", "[]"), ("engine", "{driver: null}"), ("phases.run.events", all)]
    let found = problems(in: smallScenario, overrides: null.map { ScenarioOverride(path: $0.0, value: $0.1) })
    let words = ["checkpoint", "flushMemory", "vacuum"]
    #expect(
      found.map { $0.split(separator: ": ", maxSplits: 2).last.map(String.init) }
        == words.map {
          "the driver \"null\" does not support the event \"\($0)\": it keeps no data; leave the event out, or choose "
            + "another driver"
        }
    )
  }

  @Test("metrics")
  func metrics() {
    #expect(
      sqlite(("expect", "[run cache.object.hits.sum > 5]"))
        == [
          "--set:3:9: error: unreachable expectation: the driver \"sqlite\" has no \"cache.object.hits\", since it "
            + "has no caches of objects; choose another driver"
        ]
    )
    #expect(sqlite(("expect", "[run changes.pendingBytes.max < 5MiB]")).count == 1)
    #expect(sqlite(("expect", "[run wal.bytes.max < 5MiB]")) == [])
  }
}
