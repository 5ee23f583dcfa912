internal import Foundation
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("Hostile files are rejected, and never crash the loader")
struct HostileInputTests {
  @Test("quoted words of the file stay on one line, without control sequences")
  func listedWords() {
    #expect(
      Suggestion.remedy(for: "closed", among: ["cl\tient", "\u{1b}[2J"]) == "expected one of cl\\tient, \\u{1b}[2J"
    )
  }

  @Test("a byte-order mark and the line ends of other systems are ignored")
  func foreignLineEnds() throws {
    let marked = "\u{feff}" + smallScenario.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try ScenarioLoader.load(text: marked).scenario == ScenarioLoader.load(text: smallScenario).scenario)
    let broken = "\u{feff}" + smallScenario(line: 4, "sead: 7").replacingOccurrences(of: "\n", with: "\r\n")
    #expect(problems(in: broken).map { $0.prefix(11) } == ["s.yaml:4:1:"])
  }

  @Test("aliases are read, and problems in them are located at the anchor")
  func aliases() throws {
    var text = smallScenario(line: 7, "  items: {rows: 1k, value: &shape {size: 64B}, metadata: *shape}")
    #expect(try ScenarioLoader.load(text: text).scenario.dataset[0].metadata == ValueShape(size: .fixed(bytes: 64)))
    text = smallScenario(line: 7, "  items: {rows: 1k, value: &shape {size: 8B}, metadata: *shape}")
    #expect(problems(in: text).map { $0.prefix(13) } == ["s.yaml:7:42: "])
  }

  @Test("aliases of aliases are counted without being expanded")
  func aliasBomb() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...40 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let found = problems(in: text)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("s.yaml:4:"))
    #expect(found[0].contains("more than 10000 values"))
    #expect(
      problems(in: "a: &a [x, x]\n? *a\n: 1\n").contains("s.yaml:2:3: error: expected a word as the key, found a list")
    )
  }

  @Test("an alias inside its own anchor causes no infinite loop")
  func aliasOfItself() {
    #expect(problems(in: "a: &a [*a]") == ["s.yaml:1:8: error: no anchor before this has the name \"a\""])
  }

  @Test("nesting stops at 32 levels", arguments: [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")])
  func nesting(_ open: String, _ close: String) {
    let text = String(repeating: open, count: 5_000) + "x" + String(repeating: close, count: 5_000)
    let found = problems(in: text)
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("values are nested deeper than 32 levels"))
  }

  @Test("an alias cannot exceed the limit of nesting")
  func nestedAlias() {
    let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    let found = problems(in: "a: &a \(deep)\nb: \(deep.replacingOccurrences(of: "[]", with: "[*a]"))")
    #expect(found.count == 1)
    #expect(found[0].hasSuffix("values are nested deeper than 32 levels"))
  }

  @Test("too many values are rejected")
  func manyValues() {
    let found = problems(in: String(repeating: "- x\n", count: 200_000))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("s.yaml:10000:3: "))
  }

  @Test("a file over 1 MiB is rejected")
  func largeFile() {
    let text = smallScenario + "\n#" + String(repeating: "x", count: 1 << 20)
    #expect(problems(in: text) == ["s.yaml:1:1: error: the file is larger than 1 MiB"])
  }

  @Test("only as much of a file of 200 MB is read as shows that it is too large")
  func hugeFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("huge-\(UUID().uuidString).yaml").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 200 << 20)
    try handle.close()
    let log = DiagnosticLog()
    let bytes = try SourceText.read(path: path)
    #expect(bytes.count == SourceText.largestBytes + 1)
    #expect(SourceText.checked(bytes, file: path, log: log) == nil)
    #expect(log.entries.map(\.message) == ["the file is larger than 1 MiB"])
  }

  @Test(
    "numbers out of range are rejected",
    arguments: ["1000000000000000000", "1e18", "1e309", "NaN", ".inf", "18446744073709551616", "-1"]
  )
  func hugeNumbers(_ number: String) {
    for path in ["actors.read.threads", "dataset.items.rows", "connections.one.objectCacheLimit", "measure.every"] {
      // Any number of cached objects that fits into 64 bits is valid.
      if path.hasSuffix("Limit"), number == "1000000000000000000" { continue }
      let found = problems(in: smallScenario, overrides: [ScenarioOverride(path: path, value: number)])
      #expect(found.count == 1, "\(path)")
      #expect(found.first?.hasPrefix("--set:1:") == true)
    }
    for path in ["actors.read.keys", "actors.read.load"] {
      let value = path.hasSuffix("keys") ? "zipfian(\(number))" : "{rate: \(number)/s}"
      let isPlain = number.allSatisfy(\.isNumber)
      let found = problems(in: smallScenario, overrides: [ScenarioOverride(path: path, value: value)])
      #expect(found.count == 1 || isPlain && path.hasSuffix("load"), "\(path)")
    }
  }

  @Test("the values of all variants together are bounded")
  func manyVariants() {
    let actors = (0..<1_000).map { "  a\($0): {connection: c, operations: {empty: 1}}\n" }.joined()
    let names = (0..<1_000).map { "a\($0)" }.joined(separator: ", ")
    let text = """
      format: 1
      name: many
      summary: A thousand actors.
      connections: {c: {}}
      phases: [{name: run, for: 1s, actors: [\(names)]}]
      actors:
      \(actors)matrix: {engine.synchronous: [off, normal, full], measure.every: [1ms, 2ms, 3ms, 4ms, 5ms, 6ms]}
      """
    #expect(
      problems(in: text) == [
        "s.yaml:1007:9: error: 18 variants of a scenario of 9037 values are more than can be checked; expected at most "
          + "100000 values in all"
      ]
    )
  }

  @Test(
    "bytes that are not text are rejected with their location",
    arguments: [
      ([0x61, 0x0a, 0x62, 0x00], "2:2: error: there is a NUL byte here; expected text"),
      ([0x61, 0x0a, 0x0a, 0xff], "3:1: error: the text is not UTF-8 here"),
      ([0xc3, 0xa4, 0x20, 0xe2, 0x82], "1:3: error: the text is not UTF-8 here"),
      ([0x61, 0x1b], "1:2: error: there is a control character here; expected text"),
      (
        [0x61, 0x0d, 0xe2, 0x80, 0xa8],
        "2:1: error: there is a line separator here that is not a line feed; expected text"
      ),
      ([0x61, 0xc2, 0x85], "1:2: error: there is a line separator here that is not a line feed; expected text"),
      ([0xed, 0xa0, 0x80], "1:1: error: the text is not UTF-8 here"),
      ([], "1:1: error: the text is empty; expected a mapping of keys to values"),
      ([0xef, 0xbb, 0xbf], "1:1: error: the text is empty; expected a mapping of keys to values"),
    ] as [([UInt8], String)]
  )
  func noText(_ bytes: [UInt8], _ expected: String) {
    #expect(problems(inBytes: bytes) == ["s.yaml:" + expected])
  }

  @Test(
    "a text that is not a single mapping is rejected",
    arguments: [
      ("just text", "1:1: error: expected a scenario, written as a mapping, found \"just text\""),
      ("- a\n- b", "1:1: error: expected a scenario, written as a mapping, found a list"),
      ("# only a comment", "1:1: error: the text is empty; expected a mapping of keys to values"),
      ("a: 1\n---\nb: 2", "2:1: error: a second document starts here; a scenario is one document"),
      ("a: \"unclosed", "1:13: error: this is not YAML: found unexpected end of stream while scanning a quoted scalar"),
      ("a: 1\n\tb: 2", "2:1: error: a tab cannot indent a line or separate values; use spaces"),
      ("a:\n\tb: 2", "2:1: error: a tab cannot indent a line or separate values; use spaces"),
      ("a: 1\nconnections\n  ui: 2\n", "2:1: error: expected a colon after the key \"connections\""),
      ("a: 1\nseed:3\nb: 2\n", "2:1: error: expected a space after \"seed:\""),
      ("summary: look at: this\n", "1:17: error: a value that contains a colon and a space needs quotation marks"),
      (
        "a:\n  show:\n   b: ui\n    c: 1\n    d: 2\n",
        "3:4: error: line 3 is indented by 3 spaces and line 4 by 4; the keys of a mapping need the same indent"
      ),
      (
        "a:\n  b: ui\n    c: 1\n  d: 2\n",
        "3:5: error: line 2 is indented by 2 spaces and line 3 by 4; the keys of a mapping need the same indent"
      ),
      (
        "- name: x\n    for: 3s\n",
        "2:5: error: line 1 is indented by 2 spaces and line 2 by 4; the keys of a mapping need the same indent"
      ),
      (
        "s: this is\n  some long\n  text: with\n",
        "3:7: error: a value that contains a colon and a space needs quotation marks"
      ),
      ("a: 1\n- b\n", "2:1: error: a list item cannot stand between the keys of a mapping"),
      ("name: \"x\" y\n", "1:11: error: unexpected text after a value; put the whole value in quotation marks"),
      (
        "a:\n  b: 1\n c: 2\n",
        "3:2: error: the line is indented by 1 space; expected 2 as in line 2, or 0 as in line 1"
      ),
      (
        "a:\n  b:\n    c: 1\nd:\n   e: 1\n  f: 1\n",
        "5:4: error: line 5 is indented by 3 spaces and line 6 by 2; the keys of a mapping need the same indent"
      ),
      (
        "a:\n  - b: 1\n   c: 2\n",
        "3:4: error: the line is indented by 3 spaces; expected 4 as in line 2, or 0 as in line 1"
      ),
      (
        "a:\n  - b: 1\n - c: 2\n",
        "3:2: error: the line is indented by 1 space; expected 2 as in line 2"
      ),
      ("a: 1\nb\nc: 2\n", "2:1: error: expected a colon after the key \"b\""),
      ("a:\n  b 1\n  c: 2\n", "2:3: error: expected a colon after the key \"b\""),
      ("a:\n  b:1\n  c: 2\n", "2:3: error: expected a space after \"b:\""),
      ("a {b: {}}\n", "1:1: error: expected a colon after the key \"a\""),
      ("```yaml\na: 1\n", "1:1: error: a fence of Markdown is not part of a scenario; leave out the line"),
      // Lines end with a carriage return alone, or with one before the line feed.
      ("a: 1\rb\rc: 2\r", "2:1: error: expected a colon after the key \"b\""),
      ("a: 1\r\nb:3\r\nc: 2\r\n", "2:1: error: expected a space after \"b:\""),
      (
        "a:\r\n  b: 1\r\n c: 2\r\n",
        "3:2: error: the line is indented by 1 space; expected 2 as in line 2, or 0 as in line 1"
      ),
      ("{HH", "1:4: error: this is not YAML: did not find expected ',' or '}' while parsing a flow mapping"),
      ("a: @b", "1:4: error: \"@\" cannot begin a value; put the value in quotation marks"),
      ("a: \u{fffe}", "1:4: error: this is not YAML: control characters are not allowed"),
    ]
  )
  func notAMapping(_ text: String, _ expected: String) {
    #expect(problems(in: text) == ["s.yaml:" + expected])
  }

  @Test("every prefix and every damaged copy of a scenario is loaded or rejected")
  func damage() {
    let bytes = Array(smallScenario.utf8)
    for length in 0..<bytes.count { _ = problems(inBytes: Array(bytes.prefix(length))) }
    for damaged in damagedCopies(of: smallScenario, by: "{}[]:,&*!|>'\"%@-? \n#0a", seed: 42) {
      for problem in problems(inBytes: damaged) { #expect(problem.hasPrefix("s.yaml:")) }
    }
  }
}
