internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Transactions inside other transactions")
struct NestingTests {
  private func found(_ overrides: (String, String)...) -> [String] {
    problems(in: smallScenario, overrides: overrides.map { ScenarioOverride(path: $0.0, value: $0.1) })
  }

  @Test(
    "may begin in any transaction, on any connection",
    arguments: ["nestedRead(one)", "nestedRead(two)", "nestedWrite(one)", "nestedWrite(two)"],
    ["{}", "{kind: readWrite}", "{kind: readWrite, operations: 1..4, api: async}", "{api: async}"]
  )
  func allowed(_ operation: String, _ transaction: String) {
    let operations = ("actors.read.operations", "{\(operation): 1, get: 2}")
    let claims = "[run/read deadlocks.sum > 0, run/read.\(operation) deadlocks.max < 5, run deadlocks.sum >= 0]"
    #expect(found(operations, ("actors.read.transaction", transaction), ("expect", claims)) == [])
  }

  @Test("do not make the outer transaction a read-write transaction")
  func kind() throws {
    let scenario = try ScenarioLoader.load(
      text: smallScenario,
      overrides: [ScenarioOverride(path: "actors.read.operations", value: "{nestedWrite(two): 1}")]
    ).scenario
    let actor = scenario.phases[0].actors[0].settings
    #expect(actor.transactionKind == .read && actor.nests && actor.connectionsWrittenInside == ["two"])
    #expect(actor.operations[0].kind.description == "nestedWrite(two)")
  }

  @Test("need a connection that permits them")
  func permissions() {
    let reading = ("actors.read.operations", "{nestedRead(two): 1, nestedWrite(two): 1}")
    #expect(
      found(reading, ("connections.two", "{permitted: [syncReadWrite]}"))
        == [
          "--set:1:13: error: the connection \"two\" does not permit \"syncRead\", which \"nestedRead(two)\" needs"
        ]
    )
  }

  @Test("must not write on a connection that an actor holds in a long-lived read")
  func bookmarks() {
    let stays = ("actors.read.snapshot", "{longLived: never}")
    func problem(_ writer: String) -> String {
      "the actor \"\(writer)\" writes on the connection that \"read\" holds in a long-lived read; give "
        + "\"\(writer)\" another connection"
    }
    let other = found(stays, ("actors.write.operations", "{nestedWrite(one): 1}"))
    #expect(other.count == 1 && other[0].hasSuffix(problem("write")), "\(other)")
    let own = found(stays, ("actors.read.operations", "{nestedWrite(one): 1}"))
    #expect(own.count == 1 && own[0].hasSuffix(problem("read")), "\(own)")
    #expect(found(stays, ("actors.write.operations", "{nestedRead(one): 1}")) == [])
  }

  @Test("need the engine in the harness's process", arguments: ["kill", "reopen"])
  func process(_ event: String) {
    let nested = ("actors.read.operations", "{nestedRead(two): 1}")
    #expect(
      found(nested, ("phases.run.events", "[{at: 1s, do: \(event)}]"))
        == [
          "s.yaml:12:3: error: \"nestedRead(two)\" needs the engine in the process of the harness, where it "
            + "detects deadlocks by thread, but the event \"\(event)\" runs it in a separate process; leave one out"
        ]
    )
  }

  @Test("that write are rejected beside transfers, like any other write")
  func balances() {
    let moving = ("actors.write.operations", "{transfer(2): 1}")
    #expect(found(moving, ("actors.read.operations", "{nestedRead(two): 1}")) == [])
    #expect(found(moving, ("actors.read.operations", "{nestedWrite(two): 1}")).count == 1)
  }

  @Test("have a count of deadlocks, which conditions cannot use")
  func condition() {
    let text = smallScenario(line: 25, "    until: deadlocks > 5\n    within: 2s")
    #expect(problems(in: text).count == 1)
  }
}
