public import BenchScenario
internal import CommitLedger

extension LoadedScenario {
  /// The digest of the text with all overrides, of the files that it names and of the selected variants: 16 hexadecimal
  /// digits.
  public var digest: String {
    let files = files.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    let texts = [expandedYAML] + files + variants.map(\.label)
    let digits = String(LedgerDigest.of(Array(texts.joined(separator: "\u{0}").utf8)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
