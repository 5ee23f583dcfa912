internal import Foundation

/// The distribution of sizes of values.
public enum SizeDistribution: Sendable, Equatable, Codable {
  case fixed(bytes: Int)
  /// Every size from one to the other, both included, with the same probability.
  case uniform(lowerBytes: Int, upperBytes: Int)
  /// `sigma` is the standard deviation of the size's natural logarithm.
  case lognormal(medianBytes: Int, sigma: Double)
  /// Sizes with their frequencies, read from a file.
  case histogram(SizeHistogram)

  /// The mean size in bytes; for a lognormal law without the limits of 32 B and 1 GB for each size.
  public var meanBytes: Double {
    switch self {
    case .fixed(let bytes): Double(bytes)
    case .uniform(let lower, let upper): (Double(lower) + Double(upper)) / 2
    case .lognormal(let median, let sigma): Double(median) * exp(sigma * sigma / 2)
    case .histogram(let histogram): histogram.meanBytes
    }
  }

  /// The smallest and the largest size that the scenario names; for a lognormal law its median, although other sizes
  /// are drawn.
  var namedBytes: ClosedRange<Int> {
    switch self {
    case .fixed(let bytes), .lognormal(let bytes, _): bytes...bytes
    case .uniform(let lower, let upper): lower...upper
    case .histogram(let histogram): (histogram.sizesBytes.min() ?? 0)...(histogram.sizesBytes.max() ?? 0)
    }
  }
}

/// The size and content of generated values.
public struct ValueShape: Sendable, Equatable, Codable {
  /// The size of the header with which every value starts. It identifies the value, so that reads can be verified.
  public static let headerBytes = 32
  /// The size of a row's balance, which `transfer` changes. It follows the header of the row's object.
  public static let balanceBytes = 8
  /// The size of the largest value that SQLite accepts.
  public static let largestBytes = 1_000_000_000

  public var size: SizeDistribution
  /// The fraction of the bytes after the header that are zeros. The other bytes are random, so a file system that
  /// compresses cannot shrink them.
  public var compressible = 0.0
}

/// The form of a collection's keys. `Scalars.keyForms` has the words.
public enum KeyForm: Sendable, Equatable, Codable {
  /// Keys such as `r000000000042`, in the order of the rows.
  case ordered
  /// Keys of thirteen letters and digits, whose order is unrelated to the rows': consecutive rows are scattered over
  /// the B-tree.
  case hashed
  /// YCSB's keys for `insertorder=ordered`: `user` and the number of the row, with zeros up to this number of digits.
  case ycsbOrdered(digits: Int)
  /// YCSB's keys for `insertorder=hashed`: `user` and the hash of the row's number, with zeros up to this number of
  /// digits.
  case ycsbHashed(digits: Int)

  /// Whether the order of the keys may differ from the order of the rows. With `ycsbOrdered` it differs only if a row's
  /// number has more digits than are padded.
  public var isScattered: Bool { self != .ordered }
}

/// The stored form of objects. Metadata is always stored as bytes.
public enum CodecSetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The bytes of the generated value.
  case raw
  /// A JSON document of ten fields, which is decoded into an instance of a class. It contains the generated value as
  /// Base64, so its size is about four thirds of the value's, and 250 bytes more.
  case json

  static let noun = "a codec"
}

/// A collection that is loaded before the first phase.
public struct DatasetCollection: Sendable, Equatable, Codable {
  public var name: String
  /// The number of rows that are loaded.
  public var rows: Int
  /// The most rows that actors insert.
  public var inserts = 0
  public var key = KeyForm.ordered
  public var value: ValueShape
  public var metadata: ValueShape?
  public var codec = CodecSetting.raw

  /// The most rows, loaded and inserted.
  public var mostRows: Int { rows + inserts }

  /// The approximate bytes of the loaded objects and metadata, without keys and without the store's own overhead.
  public var expectedBytes: Double { Double(rows) * rowBytes }

  /// The same with all rows that actors may insert.
  public var mostBytes: Double { (Double(rows) + Double(inserts)) * rowBytes }

  /// The approximate bytes of a row's object and metadata.
  public var rowBytes: Double {
    let object = codec == .json ? value.size.meanBytes * 4 / 3 + 250 : value.size.meanBytes
    return object + (metadata?.size.meanBytes ?? 0)
  }
}

/// The frequency of each size, read from a file.
///
/// The file is CSV: the header `size,count`, then lines with a size and a count such as `4KiB,120`.
public struct SizeHistogram: Sendable, Equatable, Codable {
  /// The sizes in the file's order.
  public let sizesBytes: [Int]
  /// For each size, the sum of the counts up to and including its own.
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
}

// MARK: Keys

extension ScenarioGrammar {
  static let collection = Section(
    "a collection",
    blank: DatasetCollection(name: "", rows: 1, value: shape.blank),
    notes: ScenarioNotes.collection
  ) {
    Key("rows", .count, in: \.rows).required
      .means("The number of rows to load, also if actors insert all others: 1 is the least.")
    Key("inserts", .count, in: \.inserts).withoutDefault
      .means("The most rows that actors add with `insert`, all phases together. A run that needs more fails.")
    Key("key", Form(Scalars.keyForm, text: { $0.text }), in: \.key).means("The form of the keys.")
    Key("value", .section(shape), in: \.value).required.means("The size and content of each row's object.")
    Key("metadata", .section(shape), in: \.metadata)
      .means("The size and content of each row's metadata. Without this key, rows have no metadata.")
    Key("codec", .word, in: \.codec).means("The stored form of objects.")
  }

  static let shape = Section(
    "the shape of a value",
    like: "{size: 512B}",
    blank: ValueShape(size: .fixed(bytes: ValueShape.headerBytes))
  ) {
    Key("size", size, in: \.size).required
      .means(
        "The size of a value, from 32B to 1GB. Every value starts with a header of 32B, with which reads are "
          + "verified."
      )
    Key("compressible", .fraction, in: \.compressible)
      .means("The fraction of the bytes after the header that are zeros. The other bytes are random.")
  }

  private static let size = Form<SizeDistribution>(
    kind: .scalar(Scalars.sizeLaw.description),
    read: { node, context in
      func size(_ text: String) throws(ScalarProblem) -> SizeDistribution {
        let size = try context.files.sizeDistribution(text)
        guard size.namedBytes.lowerBound >= ValueShape.headerBytes else {
          throw ScalarProblem(
            expected: "a size of at least 32B",
            found: text,
            because: "every value starts with a header of 32B, by which reads are checked"
          )
        }
        guard size.namedBytes.upperBound <= ValueShape.largestBytes else {
          throw ScalarProblem(expected: "a size of at most 1GB", found: text, because: "SQLite refuses a larger value")
        }
        return size
      }
      return context.log.parse(node, expected: Scalars.sizeLaw.description.expectation, by: size)
    },
    node: { (size) throws(ScalarProblem) in .text(try size.text()) }
  )
}
