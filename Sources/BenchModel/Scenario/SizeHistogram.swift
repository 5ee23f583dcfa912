/// How often each size comes, as a file says it.
///
/// The file is CSV with the header `size,count`, and a size and a count on each line, such as `4KiB,120`.
public struct SizeHistogram: Sendable, Equatable, Codable {
  /// In the file's order.
  public let sizesBytes: [Int]
  /// Of this size and all those before it.
  public let cumulativeCounts: [Int]

  static let header = "size,count"

  init(csv: String) throws(ScalarProblem) {
    let lines = csv.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.first == Self.header, lines.count > 1 else {
      throw ScalarProblem("expected the line \(quoted(Self.header)), and a size and a count on each line behind it")
    }
    var sizes: [Int] = []
    var counts: [Int] = []
    var total = 0
    for (index, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 2, let size = try? SizeScalar.parse(fields[0]), size > 0,
        let count = try? CountScalar.parse(fields[1]), count > 0, count <= 1_000_000_000_000
      else {
        throw ScalarProblem(
          "line \(index + 1): expected a size and a count such as \"4KiB,120\", found \(quoted(line))"
        )
      }
      total += count
      sizes.append(size)
      counts.append(total)
    }
    sizesBytes = sizes
    cumulativeCounts = counts
  }

  var meanBytes: Double {
    var before = 0
    var sum = 0.0
    for (size, cumulative) in zip(sizesBytes, cumulativeCounts) {
      sum += Double(size) * Double(cumulative - before)
      before = cumulative
    }
    return sum / Double(before)
  }

  var smallestBytes: Int { sizesBytes.min() ?? 0 }
  var largestBytes: Int { sizesBytes.max() ?? 0 }
}
