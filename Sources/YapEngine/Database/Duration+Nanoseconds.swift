extension Duration {
  /// The duration in whole nanoseconds: 0 if it is negative, and about 95 years if it is longer than that. The maximum
  /// leaves room in 64 bits to add the current time.
  var waitNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 3_000_000_000 else { return 3_000_000_000_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
  }
}
