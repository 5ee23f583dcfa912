import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Parts without effect are warned about")
struct WarningTests {
  private func warnings(in text: String) throws -> [String] {
    try ScenarioLoader.load(text: text, file: "s.yaml").warnings.map(\.description)
  }

  @Test("the small scenario has no warning")
  func noWarning() throws {
    #expect(try warnings(in: smallScenario) == [])
  }

  @Test("connections and collections that nothing uses")
  func unused() throws {
    let text = smallScenario(line: 10, "  two: {}\n  three: {}").replacing(
      "items: {rows: 1k, value: {size: 64B}}",
      with: "items: {rows: 1k, value: {size: 64B}}\n  other: {rows: 1k, value: {size: 64B}}"
    )
    #expect(
      try warnings(in: text) == [
        "s.yaml:8:3: warning: no actor and no view uses the collection \"other\", which is loaded nevertheless; leave "
          + "it out, or let an actor use it",
        "s.yaml:12:3: warning: no actor uses the connection \"three\", which is open during all phases; leave it out, "
          + "or let an actor use it",
      ]
    )
    let nested = text.replacing("get: 9", with: "nestedRead(three): 9")
    #expect(try warnings(in: nested + "\nviews: [{name: all, collection: other}]") == [])
    let inPhase = text.replacing("[read, write]", with: "{read: {connection: three, collection: other}, write: {}}")
    #expect(
      try warnings(in: inPhase).map { $0.prefix(34) } == [
        "s.yaml:10:3: warning: no actor use"
      ]
    )
  }

  @Test("only what no variant uses")
  func variants() throws {
    let matrix = "\nmatrix: {actors.read.connection: [one, two]}"
    #expect(try warnings(in: smallScenario + matrix) == [])
    let three = smallScenario(line: 10, "  two: {}\n  three: {}")
    #expect(try warnings(in: three + matrix).map { $0.prefix(22) } == ["s.yaml:11:3: warning: "])
  }

  @Test("a phase that waits for commits, which nothing in it makes")
  func neverReached() throws {
    func text(_ condition: String, _ actors: String = "[read]", events: String = "") -> String {
      smallScenario(
        line: 23,
        "phases:\n  - {name: wait, until: \"\(condition)\", within: 5s, actors: \(actors)\(events)}"
      )
    }
    #expect(
      try warnings(in: text("wal.bytes > 100MiB")) == [
        "s.yaml:24:25: warning: nothing in the phase writes, so \"wal.bytes\" does not rise, and the phase times out "
          + "unless \"wal.bytes > 100MiB\" holds at its start; add an actor that writes"
      ]
    )
    #expect(try warnings(in: text("wal.backlogFrames >= 1")).count == 1)
    #expect(try warnings(in: text("wal.bytes > 100MiB", "[read, write]")) == [])
    #expect(try warnings(in: text("wal.bytes > 100MiB", events: ", events: [{at: 1s, do: vacuum}]")) == [])
    #expect(try warnings(in: text("wal.bytes > 1MiB", "{read: {operations: {nestedWrite(two): 1}}}")) == [])
    for condition in ["wal.bytes < 100MiB", "wal.backlogFrames == 0", "memory.resident > 1MiB", "wal.bytes >= 0B"] {
      #expect(try warnings(in: text(condition)) == [], "\(condition)")
    }
  }

  @Test("an open load without an arrival in its phase")
  func noArrival() throws {
    func text(_ load: String, length: String = "2s", files: [String: String] = [:]) throws -> [String] {
      let text = smallScenario(line: 22, "    load: \(load)").replacing("for: 2s", with: "for: \(length)")
      let loaded = try ScenarioLoader.load(text: text, file: "s.yaml", files: files)
      return loaded.warnings.map(\.description)
    }
    #expect(
      try text("{rate: 14/min}") == [
        "s.yaml:26:20: warning: the actor \"write\" makes no transaction in the phase: its first one would be due half "
          + "an interval after the start, and the phase ends after 2s; expected a higher rate, or a longer phase"
      ]
    )
    #expect(try text("{rate: 15/min}") == [])
    #expect(try text("{rate: 1/min, arrival: poisson}") == [])
    #expect(try text("{ramp: {from: 1/min, to: 2/min}}").count == 1)
    #expect(
      try text("{trace: t}", files: ["t": "0s\n1999ms\n2s\n3s"]) == [
        "s.yaml:26:20: warning: 2 of the 4 arrivals of the actor \"write\" never happen, because their times are not "
          + "before the end of the phase, 2s; expected a longer phase, or a shorter file"
      ]
    )
    #expect(try text("{trace: t}", files: ["t": "0s\n1999999999ns"]) == [])
  }

  @Test("an event that waits for commits, which nothing in its phase makes")
  func eventNeverReached() throws {
    func text(_ actors: String, _ event: String) -> String {
      smallScenario(line: 23, "phases:\n  - {name: wait, for: 5s, actors: \(actors), events: [\(event)]}")
    }
    #expect(
      try warnings(in: text("[read]", "{at: commits(5), do: vacuum}")).map { $0.suffix(92) }
        == [
          "nothing in the phase writes, so the event at commits(5) never begins; add an actor that writes"
        ].map { $0.suffix(92) }
    )
    #expect(try warnings(in: text("[read, write]", "{at: commits(5), do: vacuum}")) == [])
    #expect(try warnings(in: text("[read]", "{at: 1s, do: vacuum}")) == [])
  }
}
