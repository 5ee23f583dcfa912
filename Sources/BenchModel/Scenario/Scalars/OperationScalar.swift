/// `get`, `multiGet(20)`, `nestedRead(ui)`: one kind of operation, as a scenario names it.
public enum OperationScalar {
  static let plain: KeyValuePairs<String, OperationKind> = [
    "get": .get, "getMetadata": .getMetadata, "getRow": .getRow, "exists": .exists, "enumerate": .enumerate,
    "set": .set, "setMetadata": .setMetadata, "replace": .replace, "touch": .touch, "remove": .remove,
    "removeCollection": .removeCollection, "readModifyWrite": .readModifyWrite, "viewAt": .viewAt, "begin": .begin,
    "empty": .empty,
  ]
  /// Those that say of how many keys.
  static let counted: KeyValuePairs<String, @Sendable (Int) -> OperationKind> = [
    "multiGet": { .multiGet($0) }, "scan": { .scan($0) }, "transfer": { .transfer($0) },
    "viewRange": { .viewRange($0) },
  ]
  /// Those that say on which connection.
  static let nested: KeyValuePairs<String, @Sendable (String) -> OperationKind> = [
    "nestedRead": { .nestedRead($0) }, "nestedWrite": { .nestedWrite($0) },
  ]
  static let words = plain.map(\.key) + counted.map(\.key) + nested.map(\.key)
  static let expectation = "an operation such as get, multiGet(20) or set"
  /// More keys than this in one operation are a typing error.
  static let mostKeys = 100_000

  public static func parse(_ text: String) throws(ScalarProblem) -> OperationKind {
    let call = try CallScalar(text)
    if let kind = counted.first(where: { $0.key == call.name })?.value {
      try call.requireArguments(1, form: "\(call.name)(KEYS) such as \(call.name)(20)")
      let keys = try CountScalar.parse(call.arguments[0])
      // A transfer needs somebody to give to.
      let least = kind(keys).isTransfer ? 2 : 1
      guard keys >= least, keys <= mostKeys else {
        throw ScalarProblem(expected: "from \(least) to \(mostKeys) keys", found: call.arguments[0])
      }
      return kind(keys)
    }
    if let kind = nested.first(where: { $0.key == call.name })?.value {
      try call.requireArguments(1, form: "\(call.name)(CONNECTION) such as \(call.name)(ui)")
      return kind(try NameScalar.parse(call.arguments[0]))
    }
    guard let kind = plain.first(where: { $0.key == call.name })?.value else {
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
    try call.requireArguments(0, form: call.name)
    return kind
  }
}
