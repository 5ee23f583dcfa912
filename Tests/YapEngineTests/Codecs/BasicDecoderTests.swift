import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// Decoding of bytes that no encoder has written.
@Suite struct BasicDecoderTests {
  /// Decodes arbitrary bytes, and checks that the decoded value is encoded to the same bytes.
  ///
  /// So every value has one encoding, and the decoder does not read beyond the end.
  private func check(_ input: [UInt8], _ comment: String) {
    let value: Any
    do { value = try decoded(input) } catch {
      if !(error is UndecodableBasicValue) { Issue.record("\(error) for \(input), \(comment)") }
      return
    }
    do {
      let isNormal = areIdentical(try normalized(value), value)
      let again = try encoded(value)
      if !isNormal || again != input { Issue.record("\(value) from \(input), \(comment)") }
    } catch { Issue.record("\(error) for \(input), \(comment)") }
  }

  @Test func `mutated bytes are decoded to their only value or rejected`() throws {
    let seed = Seed.announce(for: "BasicDecoderTests")
    var generator = BasicValueGenerator(random: RandomStream(seed: seed))
    var random = RandomStream(seed: seed ^ 1)
    for _ in 0..<TestScale.count(10_000) {
      var input = try encoded(generator.value())
      for _ in 0..<1 + random.below(4) {
        let offset = random.below(input.count + 1)
        switch random.below(5) {
        case 0: if offset < input.count { input[offset] = UInt8(random.below(256)) }
        case 1: if offset < input.count { input[offset] ^= 1 << UInt8(random.below(8)) }
        case 2: input.insert(UInt8(random.below(256)), at: offset)
        case 3: if offset < input.count { input.remove(at: offset) }
        default: input = Array(input[..<offset])
        }
      }
      check(input, "seed \(seed)")
    }
  }

  @Test func `random bytes after a valid header are decoded to their only value or rejected`() {
    let seed = Seed.announce(for: "BasicDecoderTests")
    var random = RandomStream(seed: seed)
    let tags = (0...255).filter { BasicFormat.Tag(rawValue: UInt8($0)) != nil }
    for _ in 0..<TestScale.count(10_000) {
      var input = BasicFormat.header
      for _ in 0..<random.below(30) {
        // Tags and small numbers reach more of the decoder than random bytes.
        let byte =
          random.chance(oneIn: 2) ? tags[random.below(tags.count)] : random.below(random.chance(oneIn: 2) ? 6 : 256)
        input.append(UInt8(byte))
      }
      check(input, "seed \(seed)")
    }
  }

  @Test func `every short input is decoded to its only value or rejected`() {
    for first in 0...255 {
      check([UInt8(first)], "one byte")
      check(BasicFormat.header + [UInt8(first)], "a tag")
      for second in 0...255 { check(BasicFormat.header + [UInt8(first), UInt8(second)], "a tag and a byte") }
    }
  }

  @Test(
    arguments: [
      ("a length beyond the end", [0x30, 0x05, 0x61]),
      ("a length of 2^63", [0x32] + [UInt8](repeating: 0x80, count: 9) + [0x01]),
      ("a length of 2^64 - 1", [0x31] + [UInt8](repeating: 0xff, count: 9) + [0x01]),
      ("a number of 65 bits", [0x18] + [UInt8](repeating: 0xff, count: 9) + [0x03]),
      ("a number without an end", [0x10] + [UInt8](repeating: 0x80, count: 40)),
      ("a number that is longer than needed", [0x10, 0x82, 0x00]),
      ("an Int8 of 128", [0x11, 0x80, 0x02]),
      ("a UInt8 of 256", [0x19, 0x80, 0x02]),
      ("a text that is not UTF-8", [0x30, 0x01, 0xff]),
      ("a URL that cannot be parsed", [0x33, 0x01, 0x25]),
      ("a count of elements beyond the end", [0x40, 0xff, 0xff, 0xff, 0x7f]),
      ("a count of entries beyond the end", [0x41, 0xff, 0xff, 0xff, 0x7f, 0x00]),
      ("keys out of order", [0x41, 0x02, 0x01, 0x62, 0x01, 0x01, 0x61, 0x01]),
      ("a key twice", [0x41, 0x02, 0x01, 0x61, 0x01, 0x01, 0x61, 0x01]),
      ("keys that are equal as String", [0x41, 0x02, 0x03, 0x65, 0xcc, 0x81, 0x01, 0x02, 0xc3, 0xa9, 0x01]),
      ("a short UUID", [0x34, 0, 0]),
      ("bytes behind the value", [0x02, 0x00]),
      ("65 arrays inside each other", [UInt8](repeating: 0, count: 65).flatMap { _ in [0x40, 0x01] } + [0x00]),
    ] as [(String, [UInt8])]
  )
  func `hostile bytes are rejected`(_ what: String, _ content: [UInt8]) {
    #expect(throws: UndecodableBasicValue.self, "\(what)") { try decoded(BasicFormat.header + content) }
  }

  @Test func `100,000 arrays inside each other are rejected`() {
    let content = [UInt8](repeating: 0, count: 100_000).flatMap { _ in [0x40, 0x01] as [UInt8] }
    #expect(throws: UndecodableBasicValue.self) { try decoded(BasicFormat.header + content) }
  }
}
