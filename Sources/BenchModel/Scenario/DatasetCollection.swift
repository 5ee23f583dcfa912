internal import Foundation

/// How large a value is.
public enum SizeDistribution: Sendable, Equatable, Codable {
  case fixed(bytes: Int)
  /// Both ends belong to it.
  case uniform(lowerBytes: Int, upperBytes: Int)
  /// `sigma` is the standard deviation of the size's natural logarithm.
  case lognormal(medianBytes: Int, sigma: Double)
  /// As often as a file says.
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

/// What a generated value looks like.
public struct ValueShape: Sendable, Equatable, Codable {
  /// Every value starts with its collection, key, commit number and checksum, so that a reader can prove what it read.
  public static let headerBytes = 32
  /// The balance of a row, which `transfer` moves, stands behind the header.
  public static let balanceBytes = 8
  /// SQLite refuses a larger one.
  public static let largestBytes = 1_000_000_000

  public var size: SizeDistribution
  /// The fraction of the bytes behind the header that is zeros, so that they take next to nothing where the disk
  /// compresses; the others are random.
  public var compressible: Double

  public init(size: SizeDistribution, compressible: Double = 0) {
    self.size = size
    self.compressible = compressible
  }
}

/// What the keys of a collection look like.
public enum KeyForm: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// `r000000000042`: the order of the rows is that of the keys.
  case ordered
  /// Thirteen letters and digits, one to one with the row, in no order: what is loaded, or read, one after the other
  /// lies all over the tree.
  case hashed

  static let noun = "a form of keys"
}

/// How a value is stored.
public enum CodecSetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  /// The bytes themselves, which are values.
  case raw
  /// A document of ten fields as JSON, which is decoded into an instance of a class. The value's bytes are in it, so
  /// that it takes about four thirds of them and 250 bytes more.
  case json

  static let noun = "a codec"
}

/// A collection that is loaded before the first phase.
public struct DatasetCollection: Sendable, Equatable, Codable {
  public var name: String
  public var rows: Int
  public var key: KeyForm
  public var value: ValueShape
  public var metadata: ValueShape?
  public var codec: CodecSetting

  public init(
    name: String,
    rows: Int,
    key: KeyForm = .ordered,
    value: ValueShape,
    metadata: ValueShape? = nil,
    codec: CodecSetting = .raw
  ) {
    self.name = name
    self.rows = rows
    self.key = key
    self.value = value
    self.metadata = metadata
    self.codec = codec
  }

  /// About how many bytes of values and metadata it holds, without the store's own overhead.
  public var expectedBytes: Double {
    let object = codec == .json ? value.size.meanBytes * 4 / 3 + 250 : value.size.meanBytes
    return Double(rows) * (object + (metadata?.size.meanBytes ?? 0))
  }
}
