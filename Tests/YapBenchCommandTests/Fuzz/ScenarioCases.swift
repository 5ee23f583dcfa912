import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapBenchCommand

/// Damaged scenarios through `check` and `explain`, which also plan their runs.
///
/// The lines of scenarios are changed, and most results are invalid; `ScenarioFuzzTests` changes trees.
struct ScenarioCases: FuzzSubject.Cases {
  private let seed: UInt64
  private let path: String
  private let bases: [[String]]
  private let trial = Trial()

  private static let scalars = [
    "", "0", "-1", "1", "2", "7", "64", "1024", "1025", "1000000000", "4294967296", "9223372036854775807", "1e18",
    "1e309", "0.5", "NaN", "0s", "1ns", "1ms", "5", "3600h", "99999999999h", "0B", "1B", "64GiB", "9999999GiB", "1/s",
    "50M/s", "50000001/s", "4294967296/s", "9223372036854775807/s", "0.001/s", "1/h", "closed", "50%", "1..8", "8..1",
    "zipfian(0.99)", "uniform", "hotspot(20%, 80%)", "normal(1KiB, 1B)", "[1, 2, 3]", "{a: 1}", "[]", "true", "yap",
    "sqlite", "null", "every(1ms)", "\"\\e[31m\"", "*", "&a", "!!binary x", "\u{1F680}",
  ]
  private static let lines = [
    "repeat: 1000000", "matrix: {engine.synchronous: [off, full], seed: [1, 2, 3]}", "histogramDigits: 5", "seed: -1",
    "phases: []", "sampling: 1ns", "  threads: 1024", "    threads: 128", "  - {name: again, for: 1h}", "\t", "---",
    "...", "? a", "expect: [\"run response.p99 < 1ms\"]",
  ]

  init(seed: UInt64, folder: String) throws {
    self.seed = seed
    path = folder + "/case.yaml"
    let scenarios = Project.path + "/Scenarios"
    bases = try FileManager.default.subpathsOfDirectory(atPath: scenarios).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { name in
        let text = try String(contentsOfFile: "\(scenarios)/\(name)", encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
  }

  /// The scenario of this case.
  func text(_ number: Int) -> String {
    var random = RandomStream(seed: seed, "\(number)")
    var lines = bases[number % bases.count]
    for _ in 0...(random.below(2) * random.below(3)) where !lines.isEmpty { Self.change(&lines, &random) }
    return lines.joined(separator: "\n")
  }

  private static func change(_ lines: inout [String], _ random: inout RandomStream) {
    let index = random.below(lines.count)
    switch random.below(8) {
    case 0: lines.remove(at: index)
    case 1: lines.insert(random.pick(Self.lines), at: index)
    case 2: lines.insert(lines[index], at: random.below(lines.count))
    case 3: lines[index] = "  " + lines[index]
    default: replaceValue(in: &lines[index], &random)
    }
  }

  /// Replaces the value after one of the line's colons.
  private static func replaceValue(in line: inout String, _ random: inout RandomStream) {
    let colons = line.indices.filter { line[$0] == ":" }
    guard !colons.isEmpty else { return }
    let start = line.index(after: random.pick(colons))
    let end = line[start...].firstIndex { ",}]".contains($0) } ?? line.endIndex
    line.replaceSubrange(start..<end, with: " " + random.pick(scalars))
  }

  func run(_ number: Int) throws -> String? {
    try Data(text(number).utf8).write(to: URL(fileURLWithPath: path))
    for command in ["check", "explain"] {
      trial.output.clear()
      trial.errors.clear()
      let code = Program.run([command, path], in: .captured(by: trial))
      if let problem = CommandText.problem(code, trial, documented: [.passed, .invalidScenario, .missingInput]) {
        return "\(command): \(problem)"
      }
    }
    return nil
  }
}
