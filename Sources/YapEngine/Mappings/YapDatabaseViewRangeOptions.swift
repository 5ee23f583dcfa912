/// The part of a group that mappings show.
///
/// Offset and pin refer to the order of the view, even if the group is shown reversed. Negative numbers count as 0.
public struct YapDatabaseViewRangeOptions: Sendable {
  /// The end of the group from which the range is counted.
  public enum Pin: Sendable {
    case beginning, end
  }

  /// The rows that become part of a flexible range when they are inserted directly beside it. Rows that are inserted
  /// inside it always become part of it.
  public enum Growth: Sendable {
    /// No rows beside the range.
    case inRangeOnly
    /// Rows on the side of the pin.
    case onPinSide
    /// Rows on the side away from the pin.
    case onNonPinSide
    case onBothSides
  }

  /// Whether the range is flexible. A flexible range follows its rows, and grows and shrinks with them. A fixed range
  /// keeps its length and its distance from the pinned end.
  public let isFlexible: Bool
  /// The number of rows that are shown, as far as the group has them: the initial number for a flexible range.
  public var length: Int
  /// The number of rows between the pinned end of the group and the range: the initial number for a flexible range.
  public var offset: Int
  public let pin: Pin
  /// The maximum length of a flexible range after a change of its group. A range that has become longer loses rows on
  /// the side away from the pin.
  public var maxLength = Int.max
  /// The minimum length of a flexible range after a change of its group. A range that has become shorter takes more
  /// rows, first on the side away from the pin.
  public var minLength = 0
  public var growth = Growth.inRangeOnly

  private init(isFlexible: Bool, length: Int, offset: Int, pin: Pin) {
    self.isFlexible = isFlexible
    self.length = length
    self.offset = offset
    self.pin = pin
  }

  /// Returns a range with a fixed number of rows at a fixed distance from an end, such as the last twenty rows.
  public static func fixed(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: false, length: length, offset: offset, pin: pin)
  }

  /// Returns a range that initially has `length` rows, and then consists of those rows and the rows inserted between
  /// them, as far as `growth`, `maxLength` and `minLength` do not change this.
  public static func flexible(length: Int, offset: Int = 0, from pin: Pin) -> Self {
    Self(isFlexible: true, length: length, offset: offset, pin: pin)
  }

  /// Returns the indexes that are shown in a group of `count` rows, without regard to the rows shown before.
  func window(count: Int) -> Range<Int> {
    let near = min(max(offset, 0), count)
    let far = near + min(max(length, 0), count - near)
    return pin == .beginning ? near..<far : count - far..<count - near
  }

  /// Returns the indexes of a flexible range after a change.
  /// - Parameters:
  ///   - before: The indexes before the change.
  ///   - difference: The difference of the group's rows.
  ///   - count: The number of rows in the group after the change.
  func window(after before: Range<Int>, _ difference: GroupDifference, count: Int) -> Range<Int> {
    let low = difference.gap(before: before.lowerBound, count: count)
    let high = difference.gap(before: before.upperBound, count: count)
    let isEmpty = low == high  // no row of the range has stayed, so all rows that were added in its place belong to it
    let growsLow = isEmpty || growth == .onBothSides || growth == (pin == .beginning ? .onPinSide : .onNonPinSide)
    let growsHigh = isEmpty || growth == .onBothSides || growth == (pin == .end ? .onPinSide : .onNonPinSide)
    var lower = growsLow ? low.lowerBound : low.upperBound
    var upper = growsHigh ? high.upperBound : high.lowerBound
    let maxLength = max(maxLength, 0)
    if upper - lower > maxLength {
      if pin == .beginning { upper = lower + maxLength } else { lower = upper - maxLength }
    }
    let wanted = min(max(minLength, 0), count)
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
