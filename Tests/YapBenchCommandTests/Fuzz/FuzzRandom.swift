/// SplitMix64: the same seed gives the same numbers on every machine.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct FuzzRandom {
  private var state: UInt64

  /// The numbers of one case of one seed.
  init(seed: UInt64, case number: Int) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: number)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, `limit`; 0 if `limit` is 0.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  mutating func chance(oneIn count: Int) -> Bool { below(count) == 0 }

  /// - Parameter elements: At least one element.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A length up to `limit`; short ones are more likely.
  mutating func length(upTo limit: Int) -> Int { below(1 << below(limit.bitWidth - limit.leadingZeroBitCount + 1)) }
}
