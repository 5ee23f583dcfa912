internal import Foundation
internal import Testing

@testable import BenchModel

@Suite("What the grammar says of words and numbers is what their parsers accept")
struct FormTableTests {
  /// A scalar, and whether its parser accepts a text.
  private static let scalars: [(ScalarDescription, @Sendable (String) -> Bool)] = [
    entry(Scalars.duration), entry(Scalars.durationOrZero), entry(Scalars.size), entry(Scalars.sizeOrZero),
    entry(Scalars.count), entry(Scalars.rate), entry(Scalars.share), entry(Scalars.number), entry(Scalars.fraction),
    entry(Scalars.range.limited(to: "at least 1") { $0.lowerBound > 0 }),
    entry(Scalars.keyDistribution), entry(Scalars.snapshotMove), entry(Scalars.viewGroup), entry(Scalars.eventAction),
    entry(Scalars.condition), entry(Scalars.expectation),
    (Scalars.sizeLaw.description, { (try? files.sizeDistribution($0)) != nil }),
  ]

  private static func entry<Value>(_ scalar: Scalar<Value>) -> (ScalarDescription, @Sendable (String) -> Bool) {
    (scalar.description, { (try? scalar.parse($0)) != nil })
  }

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
      // Texts that are nearly right find more mistakes than random ones.
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

  @Test("every word reads its own example, and refuses another number of arguments by its form")
  func words() throws {
    let tables: [([WordDescription], (String) throws(ScalarProblem) -> Void)] = [
      (Scalars.operations.descriptions, discarding(Scalars.operations.parse)),
      (Scalars.keyDistributions.descriptions, discarding(Scalars.keyDistributions.parse)),
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
