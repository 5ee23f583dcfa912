import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

struct JUnitExportTests {
  /// An element of a document. The reader knows only the parts of XML that the export uses.
  private struct Element {
    var name: String
    var attributes: [String: String]
    var children: [Element] = []

    func all(_ name: String) -> [Element] { children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) } }
  }

  /// The root element; nil if the document is not well-formed.
  private func read(_ text: String) -> Element? {
    var open = [Element(name: "", attributes: [:])]
    var rest = text[...]
    guard rest.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") else { return nil }
    rest = rest.drop { $0 != ">" }.dropFirst()
    while let start = rest.firstIndex(of: "<") {
      let text = rest[..<start]
      guard !text.contains(">"), let end = rest[start...].firstIndex(of: ">") else { return nil }
      var tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.count > 1, let closed = open.popLast(), closed.name == tag.dropFirst() else { return nil }
        open[open.count - 1].children.append(closed)
        continue
      }
      let isEmpty = tag.hasSuffix("/")
      if isEmpty { tag.removeLast() }
      let element = Element(name: String(tag.prefix { $0 != " " }), attributes: attributes(tag))
      if isEmpty { open[open.count - 1].children.append(element) } else { open.append(element) }
    }
    return open.count == 1 ? open[0] : nil
  }

  private func attributes(_ tag: Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    for match in tag.matches(of: /([a-z]+)="([^"<]*)"/) { attributes[String(match.1)] = String(match.2) }
    return attributes
  }

  private func suites(_ result: ScenarioResult) throws -> [Element] {
    let root = try #require(read(JUnitExport.text(of: result)))
    for element in root.all("testsuites") + root.all("testsuite") {
      let cases = element.all("testcase")
      #expect(element.attributes["tests"] == String(cases.count))
      #expect(element.attributes["failures"] == String(cases.filter { !$0.all("failure").isEmpty }.count))
      #expect(element.attributes["errors"] == String(cases.filter { !$0.all("error").isEmpty }.count))
      let skipped = String(cases.filter { !$0.all("skipped").isEmpty }.count)
      #expect(element.attributes["skipped"] == (element.name == "testsuites" ? nil : skipped))
    }
    // Jenkins' xUnit plugin refuses a document with any other attribute of the root.
    let attributes = root.all("testsuites").flatMap(\.attributes.keys)
    #expect(Set(attributes) == ["name", "tests", "failures", "errors", "time"])
    let identities = root.all("testcase").map { [$0.attributes["classname"], $0.attributes["name"]] }
    #expect(Set(identities).count == identities.count, "two cases have the same class and name")
    return root.all("testsuite")
  }

  @Test func `Expectations of an invalid run are skipped, and cases have the durations of their phases`() throws {
    var result = StalledReaderRun.scenario
    let valid = try #require(suites(result).first).all("testcase")
    let stall = try #require(result.runs[0].phases.first { $0.name == "stall" })
    let expected = String(format: "%.3f", Double(stall.durationNanoseconds) / 1e9)
    #expect(valid.contains { $0.attributes["name"]?.hasPrefix("stall") == true && $0.attributes["time"] == expected })
    result.runs[0].verdict.exitCode = .measurementInvalid
    let cases = try #require(suites(result).first).all("testcase")
    let expectations = cases.filter { $0.attributes["classname"]?.hasSuffix(".expectations") == true }
    #expect(expectations.count == result.runs[0].expectations.count)
    #expect(expectations.allSatisfy { !$0.all("skipped").isEmpty })
  }

  @Test func `A met expectation is a passed case`() throws {
    let suite = try #require(suites(StalledReaderRun.scenario).first)
    let cases = suite.all("testcase")
    #expect(cases.count == 1 + 3 + 4)
    #expect(cases.allSatisfy { $0.children.isEmpty })
    #expect(cases[1].attributes["name"] == "stall/import response.p99 &lt; 50ms")
    #expect(cases[1].attributes["classname"] == "stalled-reader.expectations")
    #expect(suite.attributes["time"] == "36.100")
    #expect(suite.attributes["timestamp"] == "2026-02-03T04:05:06")
  }

  @Test func `A failed expectation is a failure, an unchecked one is skipped`() throws {
    var run = StalledReaderRun.result
    run.expectations[1].holds = false
    run.invariants[0].violations = ["row 7 is wrong", "row 8 is wrong"]
    run.invariants[2].checks = 0
    run.verdict.exitCode = .invariantViolated
    let cases = try suites(ScenarioResult(run)).flatMap { $0.all("testcase") }
    #expect(cases.map { $0.children.first?.name } == [nil, nil, "failure", nil, "failure", nil, "skipped", nil])
    #expect(cases[2].children[0].attributes == ["type": "expectation", "message": "measured 209 MiB"])
    #expect(cases[4].children[0].attributes["message"] == "row 7 is wrong")
  }

  @Test(arguments: [BenchResults.ExitStatus.measurementInvalid, .internalError, .interrupted])
  func `A run that cannot be judged is an error`(status: BenchResults.ExitStatus) throws {
    var run = StalledReaderRun.result
    run.verdict = VerdictResult(exitCode: status, headline: "no", reasons: ["too busy", "too late"])
    let cases = try suites(ScenarioResult(run)).flatMap { $0.all("testcase") }
    #expect(cases[0].children.map(\.name) == ["error"])
    #expect(cases[0].children[0].attributes["message"] == "no")
  }

  @Test func `A smoke run judges no expectation`() throws {
    var run = StalledReaderRun.result
    run.isSmoke = true
    let cases = try suites(ScenarioResult(run)).flatMap { $0.all("testcase") }
    #expect(cases.filter { $0.children.first?.name == "skipped" }.count == 3)
  }

  @Test func `Each run is a suite`() throws {
    let suites = try suites(PolicyRuns.result)
    #expect(suites.map { $0.attributes["name"] }.first == "stalled-reader, variant share, repetition 1")
    #expect(suites.count == 4)
    #expect(
      suites.map { $0.all("testcase")[1].attributes["classname"] }.first
        == "stalled-reader.policy=share.repetition 1.expectations"
    )
  }

  /// The class names of the expectations, by suite.
  private func classNames(_ result: ScenarioResult) throws -> [String] {
    try suites(result).compactMap { $0.all("testcase").dropFirst().first?.attributes["classname"] }
  }

  @Test func `Repetitions, and retries of invalid runs, have classes of their own`() throws {
    var result = StalledReaderRun.scenario
    let run = result.runs[0]
    result.repetitions = 3
    result.runs = (1...4).map { repetition in
      var run = run
      run.repetition = repetition
      if repetition == 2 { run.verdict.exitCode = .measurementInvalid }
      return run
    }
    #expect(try classNames(result) == (1...4).map { "stalled-reader.repetition \($0).expectations" })
    // A retry of a single run.
    result.repetitions = 1
    result.runs = [result.runs[0], result.runs[1]]
    #expect(try classNames(result) == ["stalled-reader.expectations", "stalled-reader.repetition 2.expectations"])
  }

  @Test func `Cases that would have one identity are numbered`() {
    let same = JUnitDocument.Case(className: "a", name: "b", outcome: .passed)
    var other = same
    other.className = "c"
    let suite = JUnitDocument.Suite(name: "s", startedAt: "", seconds: 0, properties: [], cases: [same, same, other])
    let text = JUnitDocument(name: "d", suites: [suite, suite]).text
    let names = text.matches(of: /classname="(\w+)" name="([^"]+)"/).map { "\($0.1) \($0.2)" }
    #expect(names == ["a b", "a b (2)", "c b", "a b (3)", "a b (4)", "c b (2)"])
  }

  @Test func `Hostile names are text in XML`() throws {
    let text = JUnitExport.text(of: HostileRun.result)
    for forbidden in HostileRun.forbidden { #expect(!text.contains(forbidden)) }
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    let cases = try suites(HostileRun.result).flatMap { $0.all("testcase") }
    #expect(cases.count == 8)
    #expect(cases[1].children.map(\.name) == ["failure"])
  }
}
