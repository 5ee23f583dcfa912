internal import Foundation
internal import Testing

@testable import BenchModel

@Suite("What the grammar says of words and numbers is what their parsers accept")
struct FormTableTests {
  /// A scalar, and whether its parser accepts a text.
  private static let scalars: [(ScalarDescription, @Sendable (String) -> Bool)] = [
    (.duration, { (try? DurationScalar.parse($0)) ?? 0 > 0 }),
    (.durationOrZero, { (try? DurationScalar.parse($0)) != nil }),
    (.size, { (try? SizeScalar.parse($0)) ?? 0 > 0 }),
    (.sizeOrZero, { (try? SizeScalar.parse($0)) != nil }),
    (.count, { (try? CountScalar.parse($0)) ?? 0 > 0 }),
    (.rate, { (try? RateScalar.parse($0)) ?? 0 > 0 }),
    (.range, { ((try? RangeScalar.parse($0)) ?? 0...0).lowerBound > 0 }),
    (.share, { (try? ShareScalar.parse($0)) != nil }),
    (.number, { (try? NumberScalar.parse($0)) != nil }),
    (.keyDistribution, { (try? KeyDistributionScalar.parse($0)) != nil }),
    (.sizeDistribution, { (try? SizeDistributionScalar.parse($0, files)) != nil }),
    (.snapshotMove, { (try? SnapshotMoveScalar.parse($0)) != nil }),
    (.eventAction, { (try? EventScalar.parse($0)) != nil }),
    (.condition, { (try? ConditionScalar.parse($0)) != nil }),
    (.expectation, { (try? ExpectationScalar.parse($0)) != nil }),
  ]

  /// Where `histogram(sizes.csv)` looks.
  private static var files: NamedFiles { NamedFiles(folder: nil, texts: ["sizes.csv": "size,count\n64B,1\n"]) }

  private static let atoms = [
    "0", "1", "8", "50", "_", ".", "..", "us", "ms", "s", "m", "h", "B", "KiB", "MiB", "kB", "k", "M", "/", "/s",
    "/min",
    "%", "(", ")", " ", "  ", "uniform", "zipfian(0.99)", "hotspot(20% 80%)", "every(", "never", "lognormal(1KiB ",
    "steady(", "1%", "checkpoint(", "full", "stall(read ", "advance(", "register(", "sizes.csv", "histogram(",
    "wal.bytes", ".max",
    ".p99_9", "response", "duration", "throughput", "deadlocks", ".sum",
    " < ", " == ", "run ", "run/read ", "abort ",
  ]

  @Test("the pattern matches every text that the parser accepts")
  func patterns() throws {
    // A fixed generator (MMIX), so that a failure repeats itself.
    var state: UInt64 = 11
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    for (scalar, accepts) in Self.scalars {
      let pattern = try NSRegularExpression(pattern: "^(?:\(scalar.pattern))$")
      let matches = { (text: String) in
        pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      }
      for example in scalar.examples { #expect(accepts(example) && matches(example), "\(scalar.name): \(example)") }
      var texts = (0..<2_000).map { _ in (0...next(5)).map { _ in Self.atoms[next(Self.atoms.count)] }.joined() }
      // What is nearly right shows more than what is thrown together.
      for example in scalar.examples {
        texts += (0..<100).map { _ in
          var characters = Array(example)
          let place = next(characters.count)
          characters.replaceSubrange(place...place, with: Array(Self.atoms[next(Self.atoms.count)]))
          return String(characters)
        }
      }
      for text in texts where accepts(text) && !matches(text) {
        Issue.record("\(scalar.name) accepts \(quoted(text)), and its pattern does not match")
      }
    }
  }

  @Test("every word that a parser knows is described, or is planned and refused as such")
  func words() throws {
    let tables: [([String], [CallForm], (String) throws(ScalarProblem) -> Void)] = [
      (
        OperationScalar.words, ScenarioGrammar.operations,
        { (text) throws(ScalarProblem) in _ = try OperationScalar.parse(text) }
      ),
      (
        KeyDistributionScalar.words, ScenarioGrammar.keyDistributions,
        { (text) throws(ScalarProblem) in _ = try KeyDistributionScalar.parse(text) }
      ),
      (
        SnapshotMoveScalar.words, ScenarioGrammar.snapshotMoves,
        { (text) throws(ScalarProblem) in _ = try SnapshotMoveScalar.parse(text) }
      ),
      (
        EventScalar.words, ScenarioGrammar.eventActions,
        { (text) throws(ScalarProblem) in _ = try EventScalar.parse(text) }
      ),
      (
        ["lognormal", "histogram"], ScenarioGrammar.sizeDistributions,
        { (text) throws(ScalarProblem) in _ = try SizeDistributionScalar.parse(text, Self.files) }
      ),
    ]
    for (words, forms, parse) in tables {
      for form in forms {
        #expect(words.contains(form.name))
        #expect(throws: Never.self) { try parse(form.example) }
      }
      for word in words where !forms.contains(where: { $0.name == word }) {
        let problem = self.problem { () throws(ScalarProblem) in try parse(word) }
        #expect(problem?.contains("is not supported yet") == true, "\(word) is not described")
      }
    }
  }

  private func problem(_ parse: () throws(ScalarProblem) -> Void) -> String? {
    do {
      try parse()
      return nil
    } catch {
      return error.message
    }
  }
}
