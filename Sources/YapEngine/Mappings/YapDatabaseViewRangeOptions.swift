/// Which part of a group a mapping shows.
///
/// Offset and pin count in the order of the view, also where the mapping shows the group reversed.
public struct YapDatabaseViewRangeOptions: Sendable {
  /// The end of the group from which the range is counted.
  public enum Pin: Sendable {
    case beginning, end
  }

  /// Which rows that come right beside a flexible range become part of it. What comes inside of it always does.
  public enum Growth: Sendable {
    /// None.
    case inRangeOnly
    /// Those on the side of the pin.
    case onPinSide
    /// Those on the other side.
    case onNonPinSide
    case onBothSides
  }

  /// A flexible range follows its rows, and grows and shrinks with them; a fixed one stays where it is.
  public let isFlexible: Bool
  /// Rows that are shown, at first or always, as far as the group has them.
  public var length: Int
  /// Rows between the pinned end of the group and the range, at first or always.
  public var offset: Int
  public let pin: Pin
  /// A flexible range that has become longer loses rows at the side away from the pin.
  public var maxLength = Int.max
  /// A flexible range that has become shorter takes more rows, first at the side away from the pin.
  public var minLength = 0
  public var growth = Growth.inRangeOnly

  private init(isFlexible: Bool, length: Int, offset: Int, pin: Pin) {
    self.isFlexible = isFlexible
    self.length = max(length, 0)
    self.offset = max(offset, 0)
    self.pin = pin
  }

  /// Always so many rows, at the same distance from an end: the last twenty, say.
  public static func fixed(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: false, length: length, offset: offset, pin: pin)
  }

  /// At first so many rows; from then on those rows and what comes between them.
  public static func flexible(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: true, length: length, offset: offset, pin: pin)
  }

  /// The indexes that are shown of a group of so many rows, with nothing known of the rows before.
  func window(count: Int) -> Range<Int> {
    let near = min(offset, count)
    let far = min(near + min(length, count), count)
    return pin == .beginning ? near..<far : count - far..<count - near
  }

  /// The indexes of a flexible range after a change.
  /// - Parameters:
  ///   - before: the indexes before it.
  ///   - difference: what has become of the rows.
  ///   - count: rows of the group after it.
  func window(after before: Range<Int>, _ difference: GroupDifference, count: Int) -> Range<Int> {
    let low = difference.gap(before: before.lowerBound, count: count)
    let high = difference.gap(before: before.upperBound, count: count)
    let isEmpty = low == high  // nothing of the range is left: what has come in its place belongs to it
    let growsLow = isEmpty || growth == .onBothSides || growth == (pin == .beginning ? .onPinSide : .onNonPinSide)
    let growsHigh = isEmpty || growth == .onBothSides || growth == (pin == .end ? .onPinSide : .onNonPinSide)
    var lower = growsLow ? low.lowerBound : low.upperBound
    var upper = growsHigh ? high.upperBound : high.lowerBound
    if upper - lower > maxLength {
      if pin == .beginning { upper = lower + maxLength } else { lower = upper - maxLength }
    }
    let wanted = min(minLength, count)
    if upper - lower < wanted {
      if pin == .beginning {
        upper = min(lower + wanted, count)
        lower = upper - wanted < lower ? max(upper - wanted, 0) : lower
      } else {
        lower = max(upper - wanted, 0)
        upper = lower + wanted > upper ? min(lower + wanted, count) : upper
      }
    }
    return lower..<upper
  }
}
