/// `250us`, `5ms`, `2s`, `1m`, `1h`, also with a fraction: `1.5s`.
public enum DurationScalar {
  static let table = UnitTable(
    expectation: "a duration such as 250us, 5ms, 2s, 1m or 1h",
    units: ["ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000],
    commonUnits: ["us", "ms", "s", "m", "h"],
    baseUnit: "ns",
    limit: UInt64(Int64.max)
  )

  /// - Returns: nanoseconds, at most `Int64.max` of them.
  public static func parse(_ text: String) throws(ScalarProblem) -> UInt64 {
    try table.parse(text)
  }

  /// As it would be written, in the largest unit that makes it whole.
  static func text(_ nanoseconds: UInt64) -> String {
    let units: KeyValuePairs<String, UInt64> = [
      "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1_000,
    ]
    let unit = units.first { nanoseconds.isMultiple(of: $0.value) }
    return unit.map { "\(nanoseconds / $0.value)\($0.key)" } ?? "\(nanoseconds)ns"
  }
}
