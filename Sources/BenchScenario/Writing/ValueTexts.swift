internal import Foundation

// The texts of values, from which the scalars of the same values read them again.

extension Scalars {
  /// Returns a size in the largest unit of powers of 1024 of which it is a multiple.
  static func text(bytes: Int) -> String {
    for (unit, factor) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] where bytes > 0 {
      if bytes.isMultiple(of: factor) { return "\(bytes / factor)\(unit)" }
    }
    return "\(bytes)B"
  }

  /// Returns a range of durations, or one duration if both ends are the same.
  static func text(durations: ClosedRange<UInt64>) -> String {
    let (lower, upper) = (durations.lowerBound, durations.upperBound)
    return text(nanoseconds: lower) + (lower < upper ? ".." + text(nanoseconds: upper) : "")
  }

  /// Returns a number without an exponent.
  static func text(number: Double) -> String {
    let text = "\(number)"
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard text.contains("e") else { return text }
    let digits = String(format: "%.15f", number).reversed().drop { $0 == "0" }
    return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
  }

  static func text(perSecond: Double) -> String { text(number: perSecond) + "/s" }

  /// Returns a fraction of 1 as a percentage.
  static func text(share: Double) -> String { text(number: (share * 1e11).rounded() / 1e9) + "%" }
}

extension ClosedRange<Int> {
  /// The range in the syntax of a scenario, such as `1..8` or `5`.
  var text: String { count == 1 ? "\(lowerBound)" : "\(lowerBound)..\(upperBound)" }
}

extension KeyDistribution {
  var text: String {
    switch self {
    case .sequential: "sequential"
    case .uniform: "uniform"
    case .zipfian(let theta): "zipfian(\(Scalars.text(number: theta)))"
    case .scrambledZipfian: "scrambledZipfian"
    case .latest: "latest"
    case .hotspot(let data, let operations): "hotspot(\(Scalars.text(share: data)) \(Scalars.text(share: operations)))"
    case .exponential(let percentile, let fraction):
      "exponential(\(Scalars.text(share: percentile)) \(Scalars.text(share: fraction)))"
    }
  }
}

extension KeyForm {
  var text: String {
    switch self {
    case .ordered: "ordered"
    case .hashed: "hashed"
    case .ycsbOrdered(let digits): "ycsbOrdered(\(digits))"
    case .ycsbHashed(let digits): "ycsbHashed(\(digits))"
    }
  }
}

extension SnapshotMove {
  var text: String {
    switch self {
    case .onNotification: "onNotification"
    case .every(let nanoseconds): "every(\(Scalars.text(nanoseconds: nanoseconds)))"
    case .behind(let commits): "behind(\(commits))"
    case .after(let nanoseconds): "after(\(Scalars.text(nanoseconds: nanoseconds)))"
    case .never: "never"
    }
  }
}

extension ViewGroup {
  var text: String {
    switch self {
    case .all: "all"
    case .bucket(let count): "bucket(\(count))"
    }
  }
}

extension SizeDistribution {
  /// - Throws: `ScalarProblem` for a histogram, because the name of its file is not known.
  func text() throws(ScalarProblem) -> String {
    switch self {
    case .fixed(let bytes): Scalars.text(bytes: bytes)
    case .uniform(let lower, let upper): "\(Scalars.text(bytes: lower))..\(Scalars.text(bytes: upper))"
    case .lognormal(let median, let sigma): "lognormal(\(Scalars.text(bytes: median)) \(Scalars.text(number: sigma)))"
    case .histogram: throw ScalarProblem("the sizes were read from a file, whose name is not known")
    }
  }
}
