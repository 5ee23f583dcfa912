import HarnessPrimitives

extension RandomStream {
  /// A length up to `limit`; short ones are more likely.
  mutating func length(upTo limit: Int) -> Int { below(1 << below(limit.bitWidth - limit.leadingZeroBitCount + 1)) }
}
