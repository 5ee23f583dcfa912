internal import ArgumentParser

/// A scenario to begin with, as `new` writes it.
enum ScenarioTemplate: String, CaseIterable, ExpressibleByArgument {
  case stalledReader = "stalled-reader"
  case writeBurst = "write-burst"
  case policyComparison = "policy-comparison"
  case crash
  case ycsb

  /// What it shows, in a few words for the help.
  var summary: String {
    switch self {
    case .stalledReader: "a reader stops moving while somebody writes"
    case .writeBurst: "readers beside bursts of commits"
    case .policyComparison: "three cache policies side by side"
    case .crash: "the engine is killed and opened again"
    case .ycsb: "half reads, half updates, YCSB's way"
    }
  }

  func text(name: String) -> String {
    var text = template
    for range in text.ranges(of: "{{name}}").reversed() { text.replaceSubrange(range, with: name) }
    return text
  }

  private var template: String {
    switch self {
    case .stalledReader: Self.stalledReaderText
    case .writeBurst: Self.writeBurstText
    case .policyComparison: Self.policyComparisonText
    case .crash: Self.crashText
    case .ycsb: Self.ycsbText
    }
  }
}
