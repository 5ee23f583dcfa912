internal import Foundation

/// How large a value is.
public enum SizeDistribution: Sendable, Equatable {
  case fixed(bytes: Int)
  /// Both ends belong to it.
  case uniform(lowerBytes: Int, upperBytes: Int)
  /// `sigma` is the standard deviation of the size's natural logarithm.
  case lognormal(medianBytes: Int, sigma: Double)

  /// The mean size in bytes; for a lognormal law median · exp(sigma² / 2).
  public var meanBytes: Double {
    switch self {
    case .fixed(let bytes): Double(bytes)
    case .uniform(let lower, let upper): (Double(lower) + Double(upper)) / 2
    case .lognormal(let median, let sigma): Double(median) * exp(sigma * sigma / 2)
    }
  }

  /// The smallest size that the scenario names: for a lognormal law its median, since its draws are held to the limits.
  var smallestNamedBytes: Int {
    switch self {
    case .fixed(let bytes), .uniform(let bytes, _), .lognormal(let bytes, _): bytes
    }
  }

  /// The largest size that the scenario names.
  var largestNamedBytes: Int {
    switch self {
    case .fixed(let bytes), .uniform(_, let bytes), .lognormal(let bytes, _): bytes
    }
  }
}

/// What a generated value looks like.
public struct ValueShape: Sendable, Equatable {
  /// Every value starts with its collection, key, commit number and checksum, so that a reader can prove what it read.
  public static let headerBytes = 32
  /// SQLite refuses a larger one.
  public static let largestBytes = 1_000_000_000

  public var size: SizeDistribution

  public init(size: SizeDistribution) {
    self.size = size
  }
}

/// How a value is stored.
public enum CodecSetting: String, CaseIterable, Sendable, ScenarioWord {
  /// The bytes themselves, which are values.
  case raw
  /// A document of ten fields as JSON, which is decoded into an instance of a class. The value's bytes are in it, so
  /// that it takes about four thirds of them and 250 bytes more.
  case json

  static let noun = "a codec"
}

/// A collection that is loaded before the first phase.
public struct DatasetCollection: Sendable, Equatable {
  public var name: String
  public var rows: Int
  public var value: ValueShape
  public var metadata: ValueShape?
  public var codec: CodecSetting

  public init(name: String, rows: Int, value: ValueShape, metadata: ValueShape? = nil, codec: CodecSetting = .raw) {
    self.name = name
    self.rows = rows
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
