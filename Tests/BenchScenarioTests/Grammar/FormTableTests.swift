internal import Foundation
internal import HarnessPrimitives
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("The grammar of words and numbers agrees with their parsers")
struct FormTableTests {
  /// A scalar, and whether its parser accepts a text.
  private static let scalars: [(ScalarDescription, @Sendable (String) -> Bool)] = [
    entry(Scalars.duration), entry(Scalars.durationOrZero), entry(Scalars.size), entry(Scalars.sizeOrZero),
    entry(Scalars.count), entry(Scalars.rate), entry(Scalars.share), entry(Scalars.number), entry(Scalars.fraction),
    entry(Scalars.range.limited(to: "at least 1") { $0.lowerBound > 0 }), entry(Scalars.transactionSize),
    entry(Scalars.keyDistribution), entry(Scalars.keyForm), entry(Scalars.snapshotMove), entry(Scalars.reaction),
    entry(Scalars.viewGroup), entry(Scalars.eventTime), entry(Scalars.eventAction), entry(Scalars.condition),
    entry(Scalars.expectation),
    (Scalars.sizeLaw.description, { (try? files.sizeDistribution($0)) != nil }),
  ]

  private static func entry<Value>(_ scalar: Scalar<Value>) -> (ScalarDescription, @Sendable (String) -> Bool) {
    (scalar.description, { (try? scalar.parse($0)) != nil })
  }

  /// The file that `histogram(sizes.csv)` names.
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
    // A fixed seed, so that a failure is reproducible.
    var random = RandomStream(seed: 11)
    for (scalar, accepts) in Self.scalars {
      let pattern = try NSRegularExpression(pattern: "^(?:\(scalar.pattern))$")
      let matches = { (text: String) in
        pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      }
      for example in scalar.examples { #expect(accepts(example) && matches(example), "\(scalar.name): \(example)") }
      var texts = (0..<2_000).map { _ in (0...random.below(5)).map { _ in random.pick(Self.atoms) }.joined() }
      // Nearly valid texts reveal more than random ones.
      for example in scalar.examples {
        texts += (0..<100).map { _ in
          var characters = Array(example)
          let index = random.below(characters.count)
          characters.replaceSubrange(index...index, with: Array(random.pick(Self.atoms)))
          return String(characters)
        }
      }
      for text in texts where accepts(text) && !matches(text) {
        Issue.record("\(scalar.name) accepts \(quoted(text)), and its pattern does not match")
      }
    }
  }

  @Test("every word accepts its example, and rejects another number of arguments with its form")
  func words() throws {
    let tables: [([WordDescription], (String) throws(ScalarProblem) -> Void)] = [
      (Scalars.operations.descriptions, discarding(Scalars.operations.parse)),
      (Scalars.keyDistributions.descriptions, discarding(Scalars.keyDistributions.parse)),
      (Scalars.keyForms.descriptions, discarding(Scalars.keyForms.parse)),
      (Scalars.snapshotMoves.descriptions, discarding(Scalars.snapshotMoves.parse)),
      (Scalars.viewGroup.description.words, discarding(Scalars.viewGroup.parse)),
      (Scalars.eventActions.descriptions, discarding(Scalars.eventActions.parse)),
      (Scalars.sizeLaw.description.words, discarding(Scalars.sizeLaw.parse)),
    ]
    for (words, parse) in tables {
      #expect(Set(words.map(\.name)).count == words.count)
      for word in words {
        #expect(throws: Never.self) { try parse(word.example) }
        let tooMany = "\(word.name)(1 2 3 4)"
        let message = problem { () throws(ScalarProblem) in try parse(tooMany) }
        let form = word.arguments.isEmpty ? word.name : "\(word.form) such as \(word.example)"
        #expect(message?.hasPrefix("expected \(form), found \(quoted(tooMany)); ") == true, "\(word.name)")
      }
    }
  }

  private func discarding<Value>(
    _ parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value
  ) -> (String) throws(ScalarProblem) -> Void {
    { (text) throws(ScalarProblem) in _ = try parse(text) }
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
