internal import BenchScenario
internal import ThreadingPrimitives

/// The combinations that cases have performed since the campaign was started or resumed.
final class CoverageLog: Sendable {
  private let covered = Guarded<Set<Combination>>([])

  /// - Parameter combinations: descriptions of combinations.
  func add(_ combinations: [String]) {
    let new = combinations.compactMap(Combination.init(_:))
    covered.withLock { [new] in $0.formUnion(new) }
  }

  /// The number of covered combinations and the missing ones, grouped by their events and by their snapshots.
  var text: String {
    let covered = covered.withLock { set in Set(set.map { $0 }) }
    let missing = Combination.possible.filter { !covered.contains($0) }
    let count = Combination.possible.count - missing.count
    let all =
      "\(count) of \(Combination.possible.count) combinations of an operation, a snapshot, a policy and an event "
      + "were performed since the campaign was started or resumed"
    guard !missing.isEmpty else { return all + "." }
    func groups<Form: CaseIterable & Hashable>(_ form: KeyPath<Combination, Form>) -> String {
      let parts = Dictionary(grouping: missing) { $0[keyPath: form] }
      return Form.allCases.compactMap { form in parts[form].map { "\(form) \($0.count)" } }.joined(separator: ", ")
    }
    return all + ". Missing by event: \(groups(\.event)); by snapshot: \(groups(\.snapshot)); by operation: "
      + "\(groups(\.operation))."
  }
}
