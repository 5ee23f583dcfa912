/// A performance target of the engine, and the figures that decide whether it is met.
public struct PerformanceTarget: Sendable {
  /// 1 for P1.
  public let number: Int
  public let text: String
  public let claims: [Claim]

  /// One claim of a target, without the target's number.
  struct Row {
    let word: String
    let what: String
    let limit: Limit?
    var unit = FigureUnit.ratio
    var need = Claim.Need.nothing
  }

  init(_ number: Int, _ text: String, _ rows: [Row]) {
    self.number = number
    self.text = text
    claims = rows.map { row in
      Claim(id: ClaimID(number, row.word), what: row.what, unit: row.unit, limit: row.limit, need: row.need)
    }
  }

  public var name: String { "P\(number)" }

  /// The claims of all targets, in order.
  public static var allClaims: [Claim] { all.flatMap(\.claims) }
}
