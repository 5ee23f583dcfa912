/// `50000`, `50_000`, `50k`, `2M`.
public enum CountScalar {
  static let table = UnitTable(
    expectation: "a count such as 50000, 50_000, 50k or 2M",
    units: ["": 1, "k": 1_000, "M": 1_000_000, "G": 1_000_000_000],
    commonUnits: [],
    baseUnit: "whole one",
    limit: UInt64(Int64.max)
  )

  public static func parse(_ text: String) throws(ScalarProblem) -> Int {
    Int(try table.parse(text))
  }
}
