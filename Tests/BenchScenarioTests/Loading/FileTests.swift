internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Files")
struct FileTests {
  /// Runs `body` with the path of a file in a temporary folder.
  private func withFile(_ name: String, _ text: String, _ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try body(folder.write(text, to: name))
  }

  private func problems(ofFile path: String) -> [Diagnostic] {
    do {
      _ = try ScenarioLoader.load(path: path)
      return []
    } catch {
      return error.diagnostics
    }
  }

  @Test("the name is the file's name")
  func name() throws {
    try withFile("small.yaml", smallScenario) { #expect(problems(ofFile: $0) == []) }
    try withFile("large.yaml", smallScenario) { path in
      let message = "the name \"small\" is not the file's name; expected \"large\""
      #expect(problems(ofFile: path) == [Diagnostic(file: path, line: 2, column: 7, message: message)])
    }
  }

  @Test("the copy that a run keeps is called scenario.yaml, whatever its name is")
  func copyOfRun() throws {
    try withFile("scenario.yaml", smallScenario) { #expect(problems(ofFile: $0) == []) }
  }

  @Test("a missing file and a folder are problems with a location")
  func unreadable() {
    let missing = Repository.root.appendingPathComponent("Scenarios/none.yaml").path
    #expect(problems(ofFile: missing).map(\.description) == ["\(missing):1:1: error: there is no such file"])
    let folder = Repository.root.appendingPathComponent("Scenarios").path
    #expect(
      problems(ofFile: folder).map(\.description) == [
        "\(folder):1:1: error: this is a folder; expected a regular file"
      ]
    )
  }

  @Test("a path that is not a regular file is rejected before it is read")
  func irregular() throws {
    #expect(problems(ofFile: "/dev/zero").map(\.message) == ["this is a device; expected a regular file"])
    try withFile("small.yaml", smallScenario(line: 17, "    load: {trace: times.txt}")) { path in
      let pipe = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("times.txt").path
      #expect(mkfifo(pipe, 0o600) == 0)
      let message = "the file \"times.txt\" cannot be used: this is a named pipe; expected a regular file"
      #expect(problems(ofFile: path).map(\.message) == [message])
      #expect(problems(ofFile: pipe).map(\.message) == ["this is a named pipe; expected a regular file"])
      let error = #expect(throws: ScenarioDiagnostics.self) { try YCSBWorkload.load(paths: [pipe]) }
      #expect(error?.diagnostics.map(\.message) == ["this is a named pipe; expected a regular file"])
    }
  }

  @Test("a file of more than 1 MiB is not read completely")
  func large() throws {
    try withFile("large.yaml", String(repeating: "#", count: 1 << 20 | 1)) { path in
      #expect(problems(ofFile: path).map(\.message) == ["the file is larger than 1 MiB"])
    }
  }

  private func problem(_ line: Int, _ text: String, beside files: [String: String]) throws -> String? {
    var found: String?
    try withFile("small.yaml", smallScenario(line: line, text)) { path in
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      for (name, text) in files {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      }
      found = problems(ofFile: path).first?.message
    }
    return found
  }

  @Test("sizes are read from a file beside the scenario, and the loaded scenario contains them")
  func histogram() throws {
    let line = "  items: {rows: 1k, value: {size: histogram(sizes.csv)}}"
    let csv = "size,count\n64B,3\n1KiB,1\n"
    try withFile("small.yaml", smallScenario(line: 7, line)) { path in
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try csv.write(to: folder.appendingPathComponent("sizes.csv"), atomically: true, encoding: .utf8)
      let loaded = try ScenarioLoader.load(path: path)
      #expect(loaded.files == ["sizes.csv": csv])
      #expect(loaded.scenario.dataset[0].value.size.meanBytes == 304)
      let again = try ScenarioLoader.load(text: loaded.expandedYAML, files: loaded.files)
      #expect(again.scenario == loaded.scenario)
    }
    let wrong = "sizes.csv: line 2: expected a size and a count such as \"4KiB,120\", found \"64,3\""
    try #expect(problem(7, line, beside: ["sizes.csv": "size,count\n64,3\n"]) == wrong)
    try #expect(problem(7, line, beside: ["sizes.csv": "64B,3\n"])?.contains("expected the line") == true)
    let small =
      "expected a size of at least 32B, found \"histogram(sizes.csv)\"; every value starts with a header of 32B"
    try #expect(problem(7, line, beside: ["sizes.csv": "size,count\n16B,3\n"])?.hasPrefix(small) == true)
  }

  @Test("arrivals are read from a file beside the scenario")
  func trace() throws {
    let line = "    load: {trace: times.txt}"
    try #expect(problem(17, line, beside: ["times.txt": "1ms\n2ms\n2ms\n"]) == nil)
    try #expect(problem(17, line, beside: [:]) == "there is no file \"times.txt\" in the scenario's folder")
    let back = "times.txt: line 2: \"1ms\" is earlier than the time on the previous line"
    try #expect(problem(17, line, beside: ["times.txt": "2ms\n1ms\n"]) == back)
    let bare = "times.txt: line 1: expected a time such as 12.5ms, found \"5\""
    try #expect(problem(17, line, beside: ["times.txt": "5\n"]) == bare)
    let commented = "# taken on Monday\n\ntime\n# the first hour\n1\u{b5}s\r\n2\u{3bc}s\n#\n3us\n"
    try #expect(problem(17, line, beside: ["times.txt": commented]) == nil)
    let second = "times.txt: line 3: expected a time such as 12.5ms, found \"seconds\""
    try #expect(problem(17, line, beside: ["times.txt": "# no\ntime\nseconds\n1ms\n"]) == second)
    let late = "times.txt: line 2: expected a time such as 12.5ms, found \"time\""
    try #expect(problem(17, line, beside: ["times.txt": "1ms\ntime\n"]) == late)
    let none = "times.txt: expected a time such as 12.5ms on each line, found none"
    try #expect(problem(17, line, beside: ["times.txt": "# only\ntime\n"]) == none)
    for name in ["../times.txt", "/etc/passwd", "a/../../b"] {
      let outside = "the file \"\(name)\" is not in the scenario's own folder"
      try #expect(problem(17, "    load: {trace: \(name)}", beside: [:]) == outside)
    }
  }

  @Test("a byte-order mark is skipped in every file, and the lines count as without it", arguments: ["", "\u{feff}"])
  func byteOrderMark(_ mark: String) throws {
    let trace = "    load: {trace: times.txt}"
    try #expect(problem(17, trace, beside: ["times.txt": mark + "5ms\n10ms\n"]) == nil)
    let bare = "times.txt: line 2: expected a time such as 12.5ms, found \"5\""
    try #expect(problem(17, trace, beside: ["times.txt": mark + "1ms\n5\n"]) == bare)
    let second = "times.txt: line 1: expected a time such as 12.5ms, found \"\\u{feff}5ms\""
    try #expect(problem(17, trace, beside: ["times.txt": "\u{feff}\u{feff}5ms\n"]) == second)
    let histogram = "  items: {rows: 1k, value: {size: histogram(sizes.csv)}}"
    try #expect(problem(7, histogram, beside: ["sizes.csv": mark + "size,count\n64B,3\n"]) == nil)
    try withFile("small.yaml", mark + smallScenario) { #expect(problems(ofFile: $0) == []) }
    let workload = "recordcount=10\noperationcount=10\nreadproportion=1\n"
    try withFile("workload", mark + workload) { #expect(throws: Never.self, performing: loadingWorkload($0)) }
  }

  private func loadingWorkload(_ path: String) -> () throws -> Void { { _ = try YCSBWorkload.load(paths: [path]) } }

  @Test(
    "a text in UTF-16 or UTF-32 is refused with the remedy, with and without a byte-order mark",
    arguments: [
      String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ]
  )
  func otherEncodings(_ encoding: String.Encoding) throws {
    let remedy = "the text is UTF-16 or UTF-32; save it as UTF-8"
    func write(_ text: String, _ path: String) throws {
      try #require(text.data(using: encoding)).write(to: URL(fileURLWithPath: path))
    }
    try withFile("small.yaml", "") { path in
      try write(smallScenario, path)
      #expect(problems(ofFile: path).map(\.description) == ["\(path):1:1: error: \(remedy)"])
      let error = #expect(throws: ScenarioDiagnostics.self) { try YCSBWorkload.load(paths: [path]) }
      #expect(error?.diagnostics.map(\.message) == [remedy])
    }
    try withFile("small.yaml", smallScenario(line: 17, "    load: {trace: times.txt}")) { path in
      let times = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("times.txt").path
      try write("1ms\n", times)
      #expect(problems(ofFile: path).map(\.message) == ["the file \"times.txt\" cannot be used: \(remedy)"])
    }
  }

  @Test("a phase that counts operations refuses arrivals from a file, of which there may be too few")
  func traceOfTooFew() throws {
    let counting = smallScenario(line: 25, "    operations: 5k")
    let text = counting.replacing("load: closed", with: "load: {trace: times.txt}")
    try withFile("small.yaml", text) { path in
      let times = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("times.txt")
      try "1ms\n".write(to: times, atomically: true, encoding: .utf8)
      let found = problems(ofFile: path).map(\.message)
      #expect(found.count == 1)
      #expect(found.first?.contains("has the arrivals of a file, which may be fewer than the operations") == true)
    }
  }

  @Test("a link to a path outside the scenario's folder is not followed")
  func link() throws {
    try withFile("small.yaml", smallScenario(line: 17, "    load: {trace: times.txt}")) { path in
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      let link = folder.appendingPathComponent("times.txt").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/hostname")
      let message = "the file \"times.txt\" is not in the scenario's own folder"
      #expect(problems(ofFile: path).map(\.message) == [message])
    }
  }
}
