/// A stream of random numbers that depends only on a seed and a purpose.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014). The state is derived
/// from the run's seed and the names of the stream's purpose, such as an actor's name, so changing one actor does not
/// change the streams of others.
public struct RandomStream: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  /// - Parameter purpose: Names of the stream's purpose; different names give a different stream.
  public init(seed: UInt64, _ purpose: String...) { self.init(seed: seed, purpose) }

  /// - Parameter purpose: Names of the stream's purpose; different names give a different stream.
  public init(seed: UInt64, _ purpose: [String]) {
    state = purpose.reduce(Self.mix(seed)) { state, name in
      // FNV-1a over the name, folded into the state so far.
      name.utf8.reduce(Self.mix(state ^ 0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }

  @inlinable @inline(__always)
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  /// Returns a uniform number in 0..<1, with 53 random bits.
  @inlinable @inline(__always)
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Returns a uniform number in 0..<bound, for a positive bound (Lemire's multiplication; bias below bound / 2⁶⁴).
  @inlinable @inline(__always)
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// The last step of SplitMix64: spreads every bit of `value` over all bits.
  @inlinable @inline(__always)
  public static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
