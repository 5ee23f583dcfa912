internal import Foundation

/// A document in JUnit's XML, in the form that continuous integration services read.
struct JUnitDocument {
  enum Outcome {
    case passed
    case failed(type: String, message: String, detail: String)
    case error(type: String, message: String, detail: String)
    case skipped(message: String)
  }

  struct Case {
    var className: String
    var name: String
    var outcome: Outcome
  }

  struct Suite {
    var name: String
    /// ISO 8601, UTC.
    var startedAt: String
    var seconds: Double
    var properties: [(name: String, value: String)]
    var cases: [Case]
  }

  var name: String
  var suites: [Suite]

  var text: String {
    let seconds = suites.reduce(0) { $0 + $1.seconds }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append("<testsuites name=\"\(Self.escaped(name))\" \(Self.counts(suites.flatMap(\.cases), seconds))>")
    for suite in suites {
      lines.append(
        "  <testsuite name=\"\(Self.escaped(suite.name))\" \(Self.counts(suite.cases, suite.seconds)) "
          + "timestamp=\"\(Self.escaped(suite.startedAt.replacing("Z", with: "")))\">"
      )
      lines.append("    <properties>")
      lines += suite.properties.map { "      <property name=\"\($0.name)\" value=\"\(Self.escaped($0.value))\"/>" }
      lines.append("    </properties>")
      lines += suite.cases.map(Self.element)
      lines.append("  </testsuite>")
    }
    return lines.joined(separator: "\n") + "\n</testsuites>\n"
  }

  private static func element(_ testCase: Case) -> String {
    let start =
      "    <testcase classname=\"\(escaped(testCase.className))\" name=\"\(escaped(testCase.name))\" time=\"0\""
    func problem(_ element: String, _ type: String, _ message: String, _ detail: String) -> String {
      start + "><\(element) type=\"\(type)\" message=\"\(escaped(message))\">\(escaped(detail))</\(element)></testcase>"
    }
    switch testCase.outcome {
    case .passed: return start + "/>"
    case .failed(let type, let message, let detail): return problem("failure", type, message, detail)
    case .error(let type, let message, let detail): return problem("error", type, message, detail)
    case .skipped(let message): return start + "><skipped message=\"\(escaped(message))\"/></testcase>"
    }
  }

  private static func counts(_ cases: [Case], _ seconds: Double) -> String {
    func count(_ isOne: (Outcome) -> Bool) -> Int { cases.count { isOne($0.outcome) } }
    let failures = count { if case .failed = $0 { true } else { false } }
    let errors = count { if case .error = $0 { true } else { false } }
    let skipped = count { if case .skipped = $0 { true } else { false } }
    let time = String(format: "%.3f", seconds)
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" "
      + "time=\"\(time)\""
  }

  private static func escaped(_ text: String) -> String {
    InertText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
