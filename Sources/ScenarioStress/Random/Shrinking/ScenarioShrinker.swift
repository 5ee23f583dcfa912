internal import BenchScenario

/// Shrinks a failing scenario: applies reductions as long as the result still fails.
struct ScenarioShrinker {
  /// Returns whether a scenario fails.
  let fails: (Scenario) throws -> Bool
  /// Returns whether to continue with the smallest scenario that was found so far.
  let mayContinue: (Scenario) -> Bool
  /// The texts of scenarios that were tried and did not fail.
  private var passed: Set<String> = []
  private(set) var triedCount = 0

  init(mayContinue: @escaping (Scenario) -> Bool = { _ in true }, fails: @escaping (Scenario) throws -> Bool) {
    self.fails = fails
    self.mayContinue = mayContinue
  }

  /// Returns the smallest scenario that was found to fail: unless it ended early, no reduction of it fails.
  /// - Parameter scenario: a scenario that fails.
  mutating func shrink(_ scenario: Scenario) throws -> Scenario {
    var smallest = scenario
    var isSmaller = true
    while isSmaller, mayContinue(smallest) {
      isSmaller = false
      for reduction in ScenarioReductions.all {
        var index = 0
        var candidates = reduction(smallest)
        while index < candidates.count, mayContinue(smallest) {
          // A successful removal moves the next candidate to this index.
          if candidates[index] != smallest, try isFailing(candidates[index]) {
            smallest = candidates[index]
            candidates = reduction(smallest)
            isSmaller = true
          } else {
            index += 1
          }
        }
      }
    }
    return smallest
  }

  private mutating func isFailing(_ candidate: Scenario) throws -> Bool {
    guard let text = try? candidate.text(), !passed.contains(text),
      let loaded = try? ScenarioLoader.load(text: text), loaded.scenario == candidate
    else { return false }
    triedCount += 1
    if try fails(candidate) { return true }
    passed.insert(text)
    return false
  }
}
