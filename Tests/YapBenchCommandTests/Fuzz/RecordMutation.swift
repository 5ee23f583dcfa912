import HarnessPrimitives
import TestSupport

/// Damages the text of a record: mostly a value or two of its tree, sometimes its bytes.
struct RecordMutation {
  private var random: RandomStream

  init(_ random: RandomStream) { self.random = random }

  private static let numbers = [
    "0", "-0", "-0.0", "1", "-1", "1e-308", "-1e-308", "5e-324", "1e-305", "-1e-305", "1e-304", "1e-300", "1e308",
    "-1e308", "1.7976931348623157e308", "1e400", "-1e400", "1e-400", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "1e15",
    "9007199254740993", "1e18", "1e19", "1e22", "4294967296", "0.1", "999.5", "2147483648", "65537", "-1000000",
  ]
  /// Replacements for numbers with a fraction.
  private static let extremes = [
    "5e-324", "1e-308", "1e-305", "-1e-305", "1e-304", "1e-300", "-0.0", "9.3e18", "-9.3e18", "1.9e19", "1e308",
    "-1e308", "1e400", "\"NaN\"", "\"Infinity\"",
  ]
  private static let strings = [
    "NaN", "Infinity", "-Infinity", "nan", "inf", "", " ", "null", "\u{1B}[31mred\u{1B}[0m", "\u{1B}]0;title\u{7}",
    "a\r\nb", "\u{0}", "\u{202E}txt", "=HYPERLINK(\"http://x\")", "<script>alert(1)</script>", "\"';--", "../../x",
    "/etc/passwd", "# EOF", "]]>&amp;", "\u{1F680}", "e\u{301}", "x|y", "-", "1*9", "9223372036854775807",
    "1 2 3 -4", "0*1000000000000", "HISTFAAAAAB42pNpmSzMwMDAxAABzFCaEUoz2X+AsQA", String(repeating: "x", count: 5_000),
  ]
  private static let others = [
    "true", "false", "null", "[]", "{}", "[null]", "{\"\":0}", "01", "+1", ".5", "1.", "NaN",
  ]

  mutating func mutated(_ base: JSONText) -> [UInt8] {
    var tree = base
    // There are few fractions, and programs trap when they convert extreme ones.
    if random.chance(oneIn: 3) {
      let number = JSONText.raw(random.pick(Self.extremes))
      let fractions = base.fractionIndices
      if !fractions.isEmpty { tree = tree.changed(at: random.pick(fractions)) { _ in number } }
    }
    for _ in 0...(random.below(2) * random.below(4)) { tree = changed(tree) }
    let text = Array(tree.text.utf8)
    return random.chance(oneIn: 10) ? damaged(text) : text
  }

  private mutating func changed(_ tree: JSONText) -> JSONText {
    let index = random.below(tree.nodeCount)
    var random = random
    defer { self.random = random }
    return tree.changed(at: index) { node in
      switch (random.below(8), node) {
      case (0, .object(var members)) where !members.isEmpty:
        members.remove(at: random.below(members.count))
        return .object(members)
      case (1, .object(var members)) where !members.isEmpty:
        let member = members[random.below(members.count)]
        let key = random.chance(oneIn: 2) ? member.key : "another"
        members.append(JSONMember(key: key, value: .raw(random.pick(Self.numbers))))
        return .object(members)
      case (0, .list(var elements)) where !elements.isEmpty:
        elements.remove(at: random.below(elements.count))
        return .list(elements)
      case (1, .list(let elements)):
        return .list(Array(repeating: elements, count: 1 + random.below(40)).flatMap { $0 })
      case (2...4, _): return .raw(random.pick(Self.numbers))
      case (5, _): return .string(random.pick(Self.strings))
      case (6, _): return .raw(random.pick(Self.others))
      default: return Self.wrapped(node, depth: 1 + random.length(upTo: 4_096))
      }
    }
  }

  private static func wrapped(_ node: JSONText, depth: Int) -> JSONText {
    .raw(String(repeating: "[", count: depth) + node.text + String(repeating: "]", count: depth))
  }

  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.below(3) where !bytes.isEmpty {
      let index = random.below(bytes.count)
      switch random.below(5) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes[index] ^= 1 << UInt8(random.below(8))
      case 2: bytes.insert(random.pick(Array("{}[]:,\"\\-e.0\u{0}\u{FEFF}".utf8)), at: index)
      case 3: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(200), at: random.below(bytes.count))
      }
    }
    return bytes
  }
}
