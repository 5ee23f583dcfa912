/// The part of a group that mappings show.
///
/// Numbers that are negative count as 0.
public struct YapDatabaseViewRangeOptions: Sendable {
  /// The end of the group from which the range is counted.
  public enum Pin: Sendable {
    case beginning, end
  }

  /// The rows that become part of a flexible range when they are inserted directly beside it. Rows that are inserted
  /// inside it always become part of it. A range without rows grows on both sides.
  public struct Growth: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Rows on the side of the pin.
    public static let onPinSide = Self(rawValue: 1)
    /// Rows on the side away from the pin.
    public static let onNonPinSide = Self(rawValue: 2)
    public static let onBothSides: Self = [.onPinSide, .onNonPinSide]
    /// No rows beside the range.
    public static let inRangeOnly: Self = []
  }

  /// Whether the range is flexible. A flexible range follows its rows, and grows and shrinks with them. A fixed range
  /// keeps its length and its distance from the pinned end.
  public let isFlexible: Bool
  /// The number of rows that are shown, as far as the group has them: the initial number for a flexible range.
  public var length: Int
  /// The number of rows between the pinned end of the group and the range: the initial number for a flexible range.
  public var offset: Int
  public private(set) var pin: Pin
  /// The maximum length of a flexible range. A range that has become longer loses rows on the side away from the pin.
  /// Never less than `minLength`.
  public var maxLength = Int.max {
    didSet { maxLength = max(maxLength, minLength) }
  }
  /// The minimum length of a flexible range, as far as the group has rows. A range that has become shorter takes more
  /// rows, first on the side of the pin. Never more than `maxLength`.
  public var minLength = 0 {
    didSet { minLength = min(max(minLength, 0), maxLength) }
  }
  public var growth = Growth.onPinSide

  /// Returns a range with a fixed number of rows at a fixed distance from an end, such as the last twenty rows.
  public static func fixed(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: false, length: length, offset: offset, pin: pin)
  }

  /// Returns a range that initially has `length` rows, and then consists of those rows, the rows inserted between them,
  /// and those inserted beside them as `growth` demands, as far as `maxLength` and `minLength` do not change this.
  public static func flexible(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: true, length: length, offset: offset, pin: pin)
  }

  /// The same range of a group whose rows are counted from the other end.
  var reversed: Self {
    var options = self
    options.pin = pin == .beginning ? .end : .beginning
    return options
  }

  /// Whether rows that are inserted directly before a flexible range become part of it.
  var growsBelow: Bool { growth.contains(pin == .beginning ? .onPinSide : .onNonPinSide) }

  /// Whether rows that are inserted directly after a flexible range become part of it.
  var growsAbove: Bool { growth.contains(pin == .end ? .onPinSide : .onNonPinSide) }

  // MARK: Indexes

  /// Returns the indexes that are shown in a group of `count` rows, without regard to the rows shown before.
  func window(count: Int) -> Range<Int> {
    let near = min(max(offset, 0), count)
    let far = near + min(max(length, 0), count - near)
    let window = pin == .beginning ? near..<far : count - far..<count - near
    return isFlexible ? fitted(window, count: count) : window
  }

  /// Returns the indexes of a flexible range with a length between `minLength` and `maxLength`.
  /// - Parameter count: The number of rows in the group.
  func fitted(_ window: Range<Int>, count: Int) -> Range<Int> {
    var (lower, upper) = (window.lowerBound, window.upperBound)
    let excess = max(window.count - maxLength, 0)
    let missing = max(min(minLength, count) - window.count, 0)
    switch pin {
    case .beginning:
      let near = min(missing, lower)
      (lower, upper) = (lower - near, upper - excess + missing - near)
    case .end:
      let near = min(missing, count - upper)
      (lower, upper) = (lower + excess - (missing - near), upper + near)
    }
    return lower..<upper
  }

  /// Returns the options with the length and the offset of a flexible range at this moment. Fixed ranges keep theirs.
  func showing(_ window: Range<Int>, count: Int) -> Self {
    guard isFlexible else { return self }
    var options = self
    options.length = window.count
    options.offset = pin == .beginning ? window.lowerBound : count - window.upperBound
    return options
  }

  /// Returns the options of a flexible range that shows the same part of its group again, after changes that are not
  /// known: its length and its distance from the pinned end stay. If it was shorter than `length` because the group had
  /// no more rows, it has `length` rows as soon as the group has them; `offset` likewise.
  func reshowing(_ window: Range<Int>, count: Int) -> Self {
    guard isFlexible else { return self }
    var options = showing(window, count: count)
    if options.offset + options.length == count {
      options.length = max(options.length, length)
      if options.offset == count { options.offset = max(options.offset, offset) }
    }
    return options
  }
}
