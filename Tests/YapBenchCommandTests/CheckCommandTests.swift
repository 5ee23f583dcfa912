import BenchComparison
import Foundation
import TestSupport
import Testing

@testable import BenchRunner
@testable import YapBenchCommand

struct CheckCommandTests {
  private let trial = Trial()

  /// The printed text, with the estimate of memory replaced by a word.
  private var lines: [String] {
    trial.output.lines.map { $0.replacing(/about [0-9.]+ [KMG]iB of memory$/, with: "some memory") }
  }

  @Test func `A valid file gets one line`() {
    #expect(trial.run("check", Project.stalledReader, Project.null) == 0)
    #expect(
      lines == [
        "\(Project.stalledReader): ok: stalled-reader, 3 phases, at most 55 s, some memory",
        "\(Project.null): ok: null, 2 phases, at most 6 s, some memory",
      ]
    )
    #expect(trial.errors.text.isEmpty)
  }

  @Test func `Each variant gets a line, and the time is that of all runs`() {
    #expect(trial.run("check", Project.policies) == 0)
    #expect(
      lines == [
        "\(Project.policies): ok: three-policies, 3 variants × 6 repetitions, 2 phases each, at most 108 s, "
          + "some memory",
        "  variant defaultObjectPolicy=containment", "  variant defaultObjectPolicy=copy",
        "  variant defaultObjectPolicy=share",
      ]
    )
  }

  @Test func `The selection of variants is checked too`() {
    #expect(trial.run("check", "--only", "share", "--set", "repeat=1", Project.policies) == 0)
    #expect(
      lines == [
        "\(Project.policies): ok: three-policies, 2 phases, at most 6 s, some memory",
        "  variant defaultObjectPolicy=share",
      ]
    )
    #expect(trial.run("check", "--only", "shared", Project.policies) == 65)
    #expect(trial.errors.text == "--only:1:1: error: there is no variant \"shared\"; did you mean \"share\"?\n")
  }

  @Test func `Problems of an included file are reported once, and comparisons notice its changes`() throws {
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let folder = try TemporaryFolder()
    let shared = try folder.write("measure: {evry: 1s}", to: "_shared.yaml")
    let paths = try ["null", "other"].map { name in
      let own = text.replacing("name: \"null\"", with: "name: \"\(name)\"")
      return try folder.write("include: _shared.yaml\n" + own, to: "\(name).yaml")
    }
    #expect(trial.run("check", folder.path) == 65)
    #expect(trial.errors.lines.count == 1)
    #expect(trial.errors.text.hasPrefix("\(shared):1:11: error: unknown key \"evry\""))
    let digests = try ["1s", "2s"].map { interval in
      try folder.write("measure: {every: \(interval)}", to: "_shared.yaml")
      return ScenarioFiles(below: [folder.path]).entries.map { $0.compared().digest }
    }
    #expect(digests.allSatisfy { Set($0).count == paths.count } && digests[0] != digests[1])
  }

  @Test func `Warnings do not change the exit code, and are reported once by each command`() throws {
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let idle = text.replacing(/connections:\n/, with: "connections:\n  idle: {}\n")
    let folder = try TemporaryFolder()
    let path = try folder.write(idle, to: "null.yaml")
    #expect(trial.run("check", path) == 0)
    let place = try #require(idle.split(separator: "\n", omittingEmptySubsequences: false).firstIndex(of: "  idle: {}"))
    let warning = "\(path):\(place + 1):3: warning: no actor uses the connection \"idle\""
    #expect(trial.errors.lines.count == 1)
    #expect(trial.errors.text.hasPrefix(warning))
    #expect(lines == ["\(path): ok: null, 2 phases, at most 6 s, some memory"])
  }

  @Test func `The problems of all files are reported together, and valid files are listed`() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("format: 2\n", to: "first.yaml")
    let second = try folder.write("[]\n", to: "second.yaml")
    #expect(trial.run("check", first, Project.null, second) == 65)
    #expect(trial.errors.lines.contains { $0.hasPrefix("\(first):1:9: error: ") })
    #expect(trial.errors.lines.contains { $0.hasPrefix("\(second):1:1: error: ") })
    #expect(lines == ["\(Project.null): ok: null, 2 phases, at most 6 s, some memory"])
  }

  @Test func `A missing file and a folder without scenarios exit 66`() throws {
    let folder = try TemporaryFolder()
    #expect(trial.run("check", folder.path + "/none.yaml", folder.path) == 66)
    #expect(
      trial.errors.lines == [
        "\(folder.path):1:1: error: there is no scenario in this folder",
        "\(folder.path)/none.yaml:1:1: error: there is no such file",
      ]
    )
  }

  @Test func `A named pipe and a name that is not UTF-8 in a folder do not hide the other files`() throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let file = try folder.write(text, to: "null.yaml")
    #expect(mkfifo(folder.path + "/pipe.yaml", 0o600) == 0)
    let name = Array("\(folder.path)/b".utf8CString.dropLast()) + [CChar(bitPattern: 0xff)] + Array(".yaml".utf8CString)
    close(name.withUnsafeBufferPointer { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) })
    #expect(trial.run("check", folder.path) == 66)
    #expect(lines == ["\(file): ok: null, 2 phases, at most 6 s, some memory"])
    #expect(
      trial.errors.lines == [
        "\(folder.path)/b\\xFF.yaml:1:1: error: the name of this file is not UTF-8; rename it",
        "\(folder.path)/pipe.yaml:1:1: error: this is a named pipe; expected a regular file",
      ]
    )
    #expect(trial.run("list", folder.path) == 66)
    #expect(trial.output.text.contains("\(folder.path)/pipe.yaml: cannot be loaded: 1 problem"))
    #expect(trial.run("explain", folder.path + "/pipe.yaml") == 66)
    #expect(trial.run("run", "--out", folder.path + "/out", folder.path + "/pipe.yaml") == 66)
    #expect(trial.run("ycsb", folder.path + "/pipe.yaml") == 66)
  }

  @Test func `A folder means every scenario below it`() throws {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: Project.null, encoding: .utf8)
    let second = try folder.write(text, to: "b/null.yaml")
    let first = try folder.write(text, to: "a/null.yaml")
    _ = try folder.write("no scenario", to: "a/notes.txt")
    #expect(trial.run("check", folder.path, Project.null) == 0)
    #expect(
      lines == [first, second, Project.null].map { "\($0): ok: null, 2 phases, at most 6 s, some memory" }
    )
  }

  @Test func `Control characters in a name are shown as text`() {
    #expect(trial.run("check", "no\u{1b}[31mne.yaml") == 66)
    #expect(trial.errors.text == "noU+001B[31mne.yaml:1:1: error: there is no such file\n")
  }

  @Test func `A problem of an override is reported once for all files`() {
    #expect(trial.run("check", "--set", "format=2", Project.stalledReader, Project.null) == 65)
    #expect(trial.errors.lines.count == 1)
    #expect(trial.errors.text.hasPrefix("--set:1:8: error: "))
  }

  @Test func `A scenario that needs too much memory exits 65 with the parts and a remedy`() throws {
    var trial = trial
    trial.availableMemory = { AvailableMemory(bytes: 1 << 30, source: .controlGroup(limitBytes: 2 << 30)) }
    let arguments = ["actors.loop.threads=1024", "measure.histogramDigits=5"].flatMap { ["--set", $0] }
    #expect(Program.run(["check"] + arguments + [Project.null], in: .captured(by: trial)) == 65)
    let line = try #require(trial.errors.lines.first)
    #expect(line.hasPrefix("\(Project.null):1:1: error: the scenario needs about "))
    #expect(line.contains("GiB of memory in addition to the dataset's files (latency histograms "))
    #expect(
      line.contains("but the control group's limit of 2.00 GiB leaves 1.00 GiB; lower \"measure.histogramDigits\"")
    )
    #expect(trial.output.lines.isEmpty)
    #expect(trial.run("check", Project.null) == 0)
  }
}
