import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

@Suite("Bisection") struct BisectionSearchTests {
  private typealias Observation = BisectionSearch.Observation

  /// Searches until the answer is certain, or until the given number of comparisons.
  private func search(
    commits: Int,
    bad: Int,
    change: Double,
    error: Double,
    comparisons: Int = 40,
    skipping broken: Set<Int> = [],
    _ random: inout RandomStream
  ) -> BisectionSearch {
    var search = BisectionSearch(commits: commits, change: change)
    for _ in 0..<comparisons where search.answer.probability < 0.99 {
      guard let commit = search.next else { break }
      if broken.contains(commit) {
        search.skip(commit)
        continue
      }
      let truth = commit >= bad ? change : 0
      search.observe(commit, Observation(effect: truth + error * random.normal(), standardError: error))
    }
    return search
  }

  @Test(arguments: 0..<12)
  func `each of twelve commits is found`(bad: Int) {
    var random = RandomStream(seed: 20_260_112, "\(bad)")
    for _ in 0..<50 {
      let found = search(commits: 12, bad: bad, change: 0.05, error: 0.01, &random)
      #expect(found.answer.commit == bad)
    }
  }

  @Test func `the stated probability is the frequency of right answers`() {
    var random = RandomStream(seed: 20_260_113)
    var stated = 0.0
    var right = 0
    let trials = 2_000
    for trial in 0..<trials {
      let bad = trial % 16
      // The noise of comparisons whose resolution is about the size of the change.
      let found = search(commits: 16, bad: bad, change: 0.05, error: 0.03, comparisons: 8, &random)
      stated += found.answer.probability
      if found.answer.commit == bad { right += 1 }
    }
    #expect(abs(stated / Double(trials) - Double(right) / Double(trials)) < 0.04)
  }

  @Test func `without noise it needs as many comparisons as a binary search`() {
    var search = BisectionSearch(commits: 64, change: 0.05)
    var comparisons = 0
    while search.answer.probability < 0.95, let commit = search.next {
      search.observe(commit, Observation(effect: commit >= 40 ? 0.05 : 0, standardError: 0.001))
      comparisons += 1
    }
    #expect(search.answer.commit == 40)
    #expect(comparisons <= 7)
  }

  @Test func `commits that do not build are skipped, and are listed with the answer`() {
    var random = RandomStream(seed: 20_260_114)
    let found = search(commits: 12, bad: 6, change: 0.05, error: 0.005, skipping: [5, 6], &random)
    #expect(found.candidates.contains(6))
    #expect(found.candidates == 5...7)
  }

  @Test func `a single commit is the answer without any comparison`() {
    let search = BisectionSearch(commits: 1, change: 0.05)
    #expect(search.next == nil)
    #expect(search.answer.commit == 0 && search.answer.probability == 1)
  }

  @Test func `a single comparison never decides`() {
    var search = BisectionSearch(commits: 2, change: 0.05)
    search.observe(0, Observation(effect: 10, standardError: 1e-9))
    #expect(search.answer.probability < 0.999)
  }
}
