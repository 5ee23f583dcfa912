import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

/// Figures of one program that ran hundreds of times in succession on a shared machine with two processors. Two equal
/// builds would have had such figures.
///
/// Columns of the files: Unix time, throughput in operations a second, p50, p90, p99, p99.9 and maximum in ns.
struct EqualRuns: CustomTestStringConvertible {
  var file: String
  private var rows: [[Double]]

  static let all = ["aa-run1.txt", "aa-run2.txt"].map { file in
    do {
      let text = String(decoding: try Fixture.contents(file), as: UTF8.self)
      return EqualRuns(
        file: file,
        rows: text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
      )
    } catch {
      fatalError("\(file): \(error)")
    }
  }

  var testDescription: String { file }

  enum Figure: String, CaseIterable {
    case throughput, p50, p99

    fileprivate var column: Int {
      switch self {
      case .throughput: 1
      case .p50: 2
      case .p99: 4
      }
    }

    var better: BetterValues { self == .throughput ? .higher : .lower }
  }

  /// Returns the figures of `count` consecutive runs.
  func window(_ count: Int, of figure: Figure, _ random: inout RandomStream) -> [Double] {
    let first = random.below(rows.count - count + 1)
    return rows[first..<first + count].map { $0[figure.column] }
  }

  /// Returns the differences of adjacent runs. In each pair, one run is chosen at random as the base, the other is the
  /// head.
  /// - Parameter slowdown: The share by which the head is made worse.
  func pairs(
    _ count: Int,
    of figure: Figure,
    slowdown: Double = 0,
    _ random: inout RandomStream
  ) throws -> PairedDifferences {
    let window = window(2 * count, of: figure, &random)
    var base: [Double] = []
    var head: [Double] = []
    let factor = figure.better == .lower ? 1 + slowdown : 1 / (1 + slowdown)
    for pair in 0..<count {
      let isHeadFirst = random.below(2) == 1
      base.append(window[2 * pair + (isHeadFirst ? 1 : 0)])
      head.append(window[2 * pair + (isHeadFirst ? 0 : 1)] * factor)
    }
    return try PairedDifferences(base: base, head: head, better: figure.better)
  }
}
