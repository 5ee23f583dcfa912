extension Duration {
  /// Whole nanoseconds, from 0 to about a century: longer waits are waits without an end, and leave room in 64 bits
  /// for adding the present time.
  var waitNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 3_000_000_000 else { return 3_000_000_000_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
  }
}
