/// `512B`, `4KiB`, `4MiB`, `1GiB` by 1024, and `kB`, `MB`, `GB` by 1000.
public enum SizeScalar {
  static let table = UnitTable(
    expectation: "a size such as 512B, 4KiB, 4MiB or 1GiB",
    units: [
      "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
      "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ],
    commonUnits: ["B", "KiB", "MiB", "GiB"],
    baseUnit: "byte",
    limit: UInt64(Int64.max)
  )

  /// - Returns: bytes.
  public static func parse(_ text: String) throws(ScalarProblem) -> Int {
    Int(try table.parse(text))
  }
}
