internal import Foundation
internal import NumericConversion

/// The text of OpenMetrics 1.0: families of samples with labels, and `# EOF`.
///
/// A family's name ends with its unit; samples of a counter have `_total` behind it, that of an info `_info`.
struct OpenMetricsText {
  enum Kind: String {
    case gauge, counter, summary, info
  }

  struct Sample {
    /// Behind the family's name, such as `_count`.
    var suffix = ""
    var labels: [(name: String, value: String)]
    var value: Double
  }

  private var text = ""

  /// - Parameters:
  ///   - name: of the family, with its unit and without the suffixes of its samples.
  ///   - unit: "" for none.
  ///   - help: a sentence.
  ///   - samples: those of one thing behind each other. What is no number is left out; without samples there is no
  ///     family.
  mutating func append(_ name: String, _ kind: Kind, unit: String = "", help: String, _ samples: [Sample]) {
    precondition(unit.isEmpty || name.hasSuffix("_" + unit), "The name of a family ends with its unit.")
    let numbers = samples.filter(\.value.isFinite)
    guard !numbers.isEmpty else { return }
    text += "# TYPE \(name) \(kind.rawValue)\n"
    if !unit.isEmpty { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(Self.escaped(help))\n"
    let suffix = kind == .counter ? "_total" : kind == .info ? "_info" : ""
    for sample in numbers {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(name)\(suffix)\(sample.suffix){\(labels)} \(Self.written(sample.value))\n"
    }
  }

  var contents: String { text + "# EOF\n" }

  private static func written(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(saturating: value)) : "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    InertText.line(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
