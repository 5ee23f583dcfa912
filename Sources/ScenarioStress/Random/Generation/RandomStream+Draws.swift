internal import HarnessPrimitives

extension RandomStream {
  /// Returns an element, each with the same probability.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Returns a number, each with the same probability.
  mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Returns true with a probability in percent.
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Returns a whole number of milliseconds, in nanoseconds.
  mutating func milliseconds(in range: ClosedRange<Int>) -> UInt64 { UInt64(number(in: range)) * 1_000_000 }
}
