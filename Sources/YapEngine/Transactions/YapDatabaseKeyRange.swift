/// The keys of a collection that an enumeration visits, and their order.
///
/// Keys are ordered by the bytes of their UTF-8, as in the file. For other characters than ASCII, this may differ from
/// the order of Swift's strings, which compares them in a normalized form.
///
///     try transaction.enumerateKeysAndObjects(inCollection: "log", keys: .range("2026-11"..<"2026-12")) { … }
///     try transaction.enumerateKeysAndObjects(inCollection: "log", keys: .range("m"..., limit: 20)) { … }
///     try transaction.enumerateKeysAndObjects(inCollection: "log", keys: .sorted(limit: 5, reversed: true)) { … }
public struct YapDatabaseKeyRange: Sendable {
  /// One end of a range.
  struct Bound {
    var key: String
    var isIncluded = true
  }

  var lower: Bound?
  var upper: Bound?
  var limit = Int.max
  var isReversed = false
  /// Whether the enumeration may visit the keys in any order, which is faster than sorting them.
  var isSorted = true

  /// All keys, in no particular order.
  public static let all = YapDatabaseKeyRange(isSorted: false)

  /// All keys in their order.
  /// - Parameters:
  ///   - limit: The largest number of rows; nil for no limit.
  ///   - reversed: Whether the last key comes first.
  public static func sorted(limit: Int? = nil, reversed: Bool = false) -> YapDatabaseKeyRange {
    YapDatabaseKeyRange(limit: limit ?? .max, isReversed: reversed)
  }

  /// The keys of a range in their order.
  /// - Parameters:
  ///   - keys: The first and the last key, which need not exist.
  ///   - limit: The largest number of rows; nil for no limit.
  ///   - reversed: Whether the last key of the range comes first.
  public static func range(_ keys: Range<String>, limit: Int? = nil, reversed: Bool = false) -> Self {
    let upper = Bound(key: keys.upperBound, isIncluded: false)
    return Self(lower: Bound(key: keys.lowerBound), upper: upper, limit: limit ?? .max, isReversed: reversed)
  }

  public static func range(_ keys: ClosedRange<String>, limit: Int? = nil, reversed: Bool = false) -> Self {
    let (lower, upper) = (Bound(key: keys.lowerBound), Bound(key: keys.upperBound))
    return Self(lower: lower, upper: upper, limit: limit ?? .max, isReversed: reversed)
  }

  public static func range(_ keys: PartialRangeFrom<String>, limit: Int? = nil, reversed: Bool = false) -> Self {
    Self(lower: Bound(key: keys.lowerBound), limit: limit ?? .max, isReversed: reversed)
  }

  public static func range(_ keys: PartialRangeThrough<String>, limit: Int? = nil, reversed: Bool = false) -> Self {
    Self(upper: Bound(key: keys.upperBound), limit: limit ?? .max, isReversed: reversed)
  }

  public static func range(_ keys: PartialRangeUpTo<String>, limit: Int? = nil, reversed: Bool = false) -> Self {
    Self(upper: Bound(key: keys.upperBound, isIncluded: false), limit: limit ?? .max, isReversed: reversed)
  }

  /// The keys between two bounds in their order. There are none if the upper bound is before the lower one.
  ///
  /// For bounds that the program does not choose: an operator such as `..<` ends the process if the bounds are not in
  /// the order of Swift's strings, which may differ from that of the keys.
  /// - Parameters:
  ///   - lower: The first key, which need not exist; nil for none.
  ///   - upper: The end, which is not visited; nil for none.
  ///   - limit: The largest number of rows; nil for no limit.
  ///   - reversed: Whether the last key of the range comes first.
  public static func range(
    from lower: String?,
    upTo upper: String?,
    limit: Int? = nil,
    reversed: Bool = false
  ) -> Self {
    Self(
      lower: lower.map { Bound(key: $0) },
      upper: upper.map { Bound(key: $0, isIncluded: false) },
      limit: limit ?? .max,
      isReversed: reversed
    )
  }

  /// The bound of the key that is visited first, and that of the last one.
  var first: Bound? { isReversed ? upper : lower }
  private var last: Bound? { isReversed ? lower : upper }

  /// Whether the enumeration ends before this key.
  @inline(__always)
  func ends(before utf8: UnsafeRawBufferPointer) -> Bool {
    guard let last else { return false }
    let order = last.key.compareBytes(with: utf8)
    return isReversed ? order > 0 : last.isIncluded ? order < 0 : order <= 0
  }

  /// Whether the key is the first bound, and is excluded.
  @inline(__always)
  func skips(_ utf8: UnsafeRawBufferPointer) -> Bool {
    guard let first, !first.isIncluded else { return false }
    return first.key.compareBytes(with: utf8) == 0
  }
}
