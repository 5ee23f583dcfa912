/// `get`, `multiGet(20)`: one kind of operation, as a scenario names it.
public enum OperationScalar {
  static let plain: KeyValuePairs<String, OperationKind> = [
    "get": .get, "getMetadata": .getMetadata, "getRow": .getRow, "exists": .exists, "enumerate": .enumerate,
    "set": .set, "setMetadata": .setMetadata, "replace": .replace, "touch": .touch, "remove": .remove,
    "readModifyWrite": .readModifyWrite, "empty": .empty,
  ]
  static let planned = ["scan", "viewAt", "viewRange", "removeCollection", "transfer", "begin"]
  static let words = plain.map(\.key) + ["multiGet"] + planned
  static let expectation = "an operation such as get, multiGet(20) or set"
  /// More keys than this in one `multiGet` is a typing error.
  static let largestMultiGet = 100_000

  public static func parse(_ text: String) throws(ScalarProblem) -> OperationKind {
    let call = try CallScalar(text)
    if planned.contains(call.name) { throw ScalarProblem("\(quoted(text)) is not supported yet") }
    if call.name == "multiGet" {
      try call.requireArguments(1, form: "multiGet(KEYS) such as multiGet(20)")
      let keys = try CountScalar.parse(call.arguments[0])
      guard keys >= 1, keys <= largestMultiGet else {
        throw ScalarProblem(expected: "from 1 to \(largestMultiGet) keys", found: call.arguments[0])
      }
      return .multiGet(keys)
    }
    guard let kind = plain.first(where: { $0.key == call.name })?.value else {
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
    try call.requireArguments(0, form: call.name)
    return kind
  }
}
