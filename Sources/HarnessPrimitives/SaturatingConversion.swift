/// Conversions from floating point to whole numbers that never trap.
///
/// `Int(_: Double)` terminates the process for a value that is not finite or out of range. Figures come from files that
/// other programs may have written, and from clocks and ratios that may be extreme, so every conversion in this project
/// uses one of these initialisers. A test reports others, as far as a scan of the source can see them.
extension Int {
  /// Drops the fraction of `value`. A value out of range becomes the nearest bound, and NaN becomes 0.
  @inlinable public init(saturating value: Double) {
    if value >= 0x1p63 {
      self = .max
    } else if value > -0x1p63 {
      self = Int(value)
    } else {
      self = value.isNaN ? 0 : .min
    }
  }
}

extension UInt64 {
  /// Drops the fraction of `value`. A negative value and NaN become 0, and a value out of range becomes the maximum.
  @inlinable public init(saturating value: Double) {
    if value >= 0x1p64 {
      self = .max
    } else {
      self = value > 0 ? UInt64(value) : 0
    }
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// Returns the sum. An addition that overflows yields the bound, because damaged numbers must not end the process.
  @inlinable public func saturatingSum() -> Element {
    reduce(0) { sum, number in
      let (result, overflows) = sum.addingReportingOverflow(number)
      return overflows ? (number < 0 ? .min : .max) : result
    }
  }
}
