package import BenchScenario
internal import CommitLedger

extension LoadedScenario {
  /// The digest of the text with all overrides, of the files that it names and of the selected variants: 16 hexadecimal
  /// digits.
  package var digest: String { Self.digest(of: expandedYAML, files, variants.map(\.label)) }

  /// The digest of everything in the scenario that determines its load. Runs with another one are not comparable.
  var configurationDigest: String { Self.digest(of: comparableText, files, variants.map(\.label)) }

  /// Returns the digest of a scenario with this text, these files and these labels of variants.
  static func digest(of text: String, _ files: [String: String], _ labels: [String]) -> String {
    digest(of: [text] + files.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } + labels)
  }

  /// Returns the digest of texts, as 16 hexadecimal digits.
  package static func digest(of texts: [String]) -> String {
    let digits = String(LedgerDigest.of(Array(texts.joined(separator: "\u{0}").utf8)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
