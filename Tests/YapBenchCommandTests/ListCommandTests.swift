import TestSupport
import Testing

@testable import YapBenchCommand

struct ListCommandTests {
  private let trial = Trial()

  @Test func `The project's scenarios are the default`() {
    #expect(trial.run("list") == 0)
    #expect(trial.output.lines.contains { $0.hasPrefix("stalled-reader ") })
  }

  @Test func `The project's scenarios are listed in columns`() throws {
    let folder = Project.path + "/Scenarios"
    #expect(trial.run("list", folder) == 0)
    let lines = trial.output.lines
    let header = try #require(lines.first)
    #expect(
      header.split(separator: " ", omittingEmptySubsequences: true) == [
        "NAME", "LIMIT", "RUNS", "TAGS", "PATH", "SUMMARY",
      ]
    )
    #expect(lines.first { $0.hasPrefix("three-policies ") }?.contains("  3 × 6  ") == true)
    for (name, time, path) in [
      ("null", "6 s", "\(folder)/selftest/null.yaml"),
      ("three-policies", "108 s", "\(folder)/policy/three-policies.yaml"),
      ("stalled-reader", "55 s", "\(folder)/wal/stalled-reader.yaml"),
    ] {
      let line = try #require(lines.first { $0.hasPrefix(name + " ") })
      for (column, text) in [("LIMIT", time), ("PATH", path)] {
        let start = try #require(header.firstRange(of: column)).lowerBound
        let offset = header.distance(from: header.startIndex, to: start)
        #expect(line.dropFirst(offset).hasPrefix(text + " "))
      }
    }
  }

  @Test func `A file that does not load does not hide the others`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("format: 2\nname: a\n", to: "a/broken.yaml")
    _ = try folder.write("format: [", to: ".hidden/not-looked-at.yaml")
    _ = try folder.write("nothing of ours", to: "notes.txt")
    _ = try folder.write("connections: {one: {}}", to: "b/_shared.yaml")
    let minimal = """
      {format: 1, name: short, summary: Short., engine: {driver: "null"}, connections: {one: {}},
       actors: {idle: {connection: one, operations: {empty: 1}}},
       phases: [{name: run, operations: 2k, actors: [idle]}]}
      """
    let path = try folder.write(minimal, to: "b/short.yaml")
    #expect(trial.run("list", folder.path + "/") == 0)
    let lines = trial.output.lines
    #expect(lines.count == 3)
    #expect(lines.dropFirst().first == "short  2,000 operations  1     -     \(path)  Short.")
    let broken = "\(folder.path)/a/broken.yaml"
    #expect(lines.last?.hasPrefix("\(broken): cannot be loaded: ") == true)
    #expect(lines.last?.hasSuffix(" problems; see yapbench check \(broken)") == true)
  }

  @Test func `A missing folder exits 66`() {
    #expect(trial.run("list", "/nowhere/at/all") == 66)
    #expect(trial.errors.text == "error: /nowhere/at/all: there is no such folder\n")
  }

  @Test func `A folder without scenarios is reported`() throws {
    let folder = try TemporaryFolder()
    #expect(trial.run("list", folder.path) == 0)
    #expect(trial.output.text.isEmpty)
    #expect(trial.errors.text == "no scenarios found in \(folder.path)\n")
  }
}
