internal import CPlatform

/// The limits of nesting that the encoder and the decoder of `Codable` values share.
///
/// The limit applies to the stored form: the number of arrays and dictionaries on the path to a value, however the type
/// requests them. The decoder checks it before it calls the type, so it can read whatever the encoder has accepted.
/// Values that a type encodes by single-value containers store nothing, and are counted separately at each value, only
/// to end a recursion that would never end.
enum CodableDepth {
  /// The largest number of containers inside each other, and of values that are encoded as each other by single-value
  /// containers.
  static let maximum = 512
  /// The bytes of stack that must be left to call a type's own code. It calls coders for nested values, which check
  /// again.
  private static let reserve = 128 << 10

  /// Whether the calling thread has so little stack left that the next nested value needs another thread.
  @inline(__always)
  static var isStackLow: Bool { cplatform_stack_left() < reserve }
}

/// The error for a value that is nested too deep to be stored or read.
struct NestedTooDeep: Error, CustomStringConvertible {
  /// The path to the value; empty if it is not known.
  let path: [any CodingKey]
  let maximum: Int

  var description: String {
    let first = path.prefix(4).map(\.stringValue).joined(separator: ".")
    let place = path.isEmpty ? "" : ", at \(first)\(path.count > 4 ? "…" : "")"
    return "found a value nested more than \(maximum) deep\(place); expected at most \(maximum) arrays, dictionaries "
      + "and wrapped values inside each other: store deep structures as flat ones, such as an array of nodes with "
      + "indices"
  }
}
