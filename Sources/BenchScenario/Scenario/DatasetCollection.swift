internal import Foundation

/// The distribution of sizes of values.
public enum SizeDistribution: Sendable, Equatable, Codable {
  case fixed(bytes: Int)
  /// Both ends belong to it.
  case uniform(lowerBytes: Int, upperBytes: Int)
  /// `sigma` is the standard deviation of the size's natural logarithm.
  case lognormal(medianBytes: Int, sigma: Double)
  /// The frequencies in a file.
  case histogram(SizeHistogram)

  /// The mean size in bytes; for a lognormal law median · exp(sigma² / 2).
  public var meanBytes: Double {
    switch self {
    case .fixed(let bytes): Double(bytes)
    case .uniform(let lower, let upper): (Double(lower) + Double(upper)) / 2
    case .lognormal(let median, let sigma): Double(median) * exp(sigma * sigma / 2)
    case .histogram(let histogram): histogram.meanBytes
    }
  }

  /// The smallest size that the scenario names: for a lognormal law its median, since its draws are held to the limits.
  var smallestNamedBytes: Int {
    switch self {
    case .fixed(let bytes), .uniform(let bytes, _), .lognormal(let bytes, _): bytes
    case .histogram(let histogram): histogram.smallestBytes
    }
  }

  /// The largest size that the scenario names.
  var largestNamedBytes: Int {
    switch self {
    case .fixed(let bytes), .uniform(_, let bytes), .lognormal(let bytes, _): bytes
    case .histogram(let histogram): histogram.largestBytes
    }
  }
}

/// The size and content of generated values.
public struct ValueShape: Sendable, Equatable, Codable {
  /// Every value starts with its collection, key, commit number and checksum, so that a read can be verified.
  public static let headerBytes = 32
  /// The balance of a row, which `transfer` moves, follows the header.
  public static let balanceBytes = 8
  /// SQLite refuses a larger one.
  public static let largestBytes = 1_000_000_000

  public var size: SizeDistribution
  /// The fraction of the bytes after the header that is zeros, which take almost no space on a disk that compresses;
  /// the others are random.
  public var compressible = 0.0
}

/// The form of a collection's keys.
public enum KeyForm: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// `r000000000042`: the order of the rows is that of the keys.
  case ordered
  /// Thirteen letters and digits, one to one with the row, in no order: rows that are loaded or read one after the
  /// other are scattered over the tree.
  case hashed

  static let noun = "a form of keys"
}

/// The stored form of a value.
public enum CodecSetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The bytes themselves.
  case raw
  /// A JSON document of ten fields, which is decoded into an instance of a class. It contains the value's bytes as
  /// Base64, so it takes about four thirds of them and 250 bytes more.
  case json

  static let noun = "a codec"
}

/// A collection that is loaded before the first phase.
public struct DatasetCollection: Sendable, Equatable, Codable {
  public var name: String
  public var rows: Int
  public var key = KeyForm.ordered
  public var value: ValueShape
  public var metadata: ValueShape?
  public var codec = CodecSetting.raw

  /// The approximate bytes of its values and metadata, without the store's own overhead.
  public var expectedBytes: Double {
    let object = codec == .json ? value.size.meanBytes * 4 / 3 + 250 : value.size.meanBytes
    return Double(rows) * (object + (metadata?.size.meanBytes ?? 0))
  }
}

/// The frequency of each size, read from a file.
///
/// The file is CSV with the header `size,count`, and a size and a count on each line, such as `4KiB,120`.
public struct SizeHistogram: Sendable, Equatable, Codable {
  /// The sizes in the file's order.
  public let sizesBytes: [Int]
  /// The count of each size and of all those before it.
  public let cumulativeCounts: [Int]

  static let header = "size,count"

  init(csv: String) throws(ScalarProblem) {
    let lines = csv.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.first == Self.header, lines.count > 1 else {
      throw ScalarProblem("expected the line \(quoted(Self.header)), and a size and a count on each line after it")
    }
    var sizes: [Int] = []
    var counts: [Int] = []
    var total = 0
    for (index, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 2, let size = try? Scalars.sizeOrZero.parse(fields[0]), size > 0,
        let count = try? Scalars.countOrZero.parse(fields[1]), count > 0, count <= 1_000_000_000_000
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
