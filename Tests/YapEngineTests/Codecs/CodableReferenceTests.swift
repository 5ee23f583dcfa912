import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// The binary coders behave as Foundation's JSON coders: the same calls return the same values, or fail, and leave
/// their containers at the same element.
@Suite struct CodableReferenceTests {
  typealias Play = @Sendable (any Decoder) throws -> [String]

  private static let play = CodingUserInfoKey(rawValue: "play").unsafelyUnwrapped

  /// Decodes nothing of its own, but runs the test's code with its decoder.
  private struct Probe: Codable, Sendable {
    let log: [String]

    init(from decoder: any Decoder) throws {
      guard let play = decoder.userInfo[CodableReferenceTests.play] as? Play else { throw Deliberate() }
      log = try play(decoder)
    }

    func encode(to encoder: any Encoder) throws { throw Deliberate() }
  }

  /// A value that both formats can store.
  enum Value: Encodable, Sendable {
    case null, flag(Bool), int(Int), double(Double), text(String)
    case list([Value]), table([String: Value])

    func encode(to encoder: any Encoder) throws {
      var single: any SingleValueEncodingContainer { encoder.singleValueContainer() }
      switch self {
      case .null:
        var container = single
        try container.encodeNil()
      case .flag(let value): try encode(value, in: single)
      case .int(let value): try encode(value, in: single)
      case .double(let value): try encode(value, in: single)
      case .text(let value): try encode(value, in: single)
      case .list(let values): try encode(values, in: single)
      case .table(let values): try encode(values, in: single)
      }
    }

    private func encode(_ value: some Encodable, in container: any SingleValueEncodingContainer) throws {
      var container = container
      try container.encode(value)
    }
  }

  /// Reads a part of its value, and then fails.
  struct Failing: Codable {
    init() {}

    init(from decoder: any Decoder) throws {
      if var container = try? decoder.unkeyedContainer() { _ = try? container.decode(Int.self) }
      if let container = try? decoder.container(keyedBy: CodableKey.self) {
        _ = try? container.decodeNil(forKey: .super)
      }
      throw Deliberate()
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodableKey.self)
      try container.encode(1, forKey: .super)
      var inner = container.nestedUnkeyedContainer(forKey: CodableKey(stringValue: "inner"))
      try inner.encode("part")
      throw Deliberate()
    }
  }

  /// The results of the calls in both formats.
  private func logs(of value: Value, _ play: @escaping Play) throws -> (binary: [String], json: [String]) {
    func log(_ bytes: [UInt8]) throws -> [String] {
      let probe = try decoded(bytes, by: .codable(Probe.self, userInfo: [Self.play: play])) as? Probe
      return try #require(probe).log
    }
    return (
      try log(CodableValueEncoder.bytes(of: value)),
      try log(Array(JSONEncoder().encode(value)))
    )
  }

  /// The value, or the error.
  private static func outcome(_ call: String, _ body: () throws -> Any) -> String {
    let found: String
    do { found = "\(try body())" } catch {
      switch error {
      case DecodingError.keyNotFound(_, let context): found = "no key at \(path(context.codingPath))"
      // JSON's errors differ between types: a Bool for null is a mismatch, a String a missing value. A number that does
      // not fit is an error of Foundation's own.
      case DecodingError.valueNotFound, DecodingError.typeMismatch, DecodingError.dataCorrupted: found = "no such value"
      default:
        let name = "\(type(of: error))"
        found = name == "JSONError" ? "no such value" : name
      }
    }
    return "\(call): \(found)"
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
  }

  // MARK: Unkeyed containers

  private static let elementCalls = 17

  /// Makes the call with the number, and returns its outcome and the container's state afterwards.
  private static func callElement(_ number: Int, _ container: inout any UnkeyedDecodingContainer) -> String {
    let log: String
    switch number {
    case 0: log = outcome("Int") { try container.decode(Int.self) }
    case 1: log = outcome("String") { try container.decode(String.self) }
    case 2: log = outcome("Bool") { try container.decode(Bool.self) }
    case 3: log = outcome("Double") { try container.decode(Double.self) }
    case 4: log = outcome("UInt8") { try container.decode(UInt8.self) }
    case 5: log = outcome("nil") { try container.decodeNil() }
    case 6: log = outcome("Int?") { try container.decode(Int?.self) as Any }
    case 7: log = outcome("Int if present") { try container.decodeIfPresent(Int.self) as Any }
    case 8: log = outcome("[Int]") { try container.decode([Int].self) }
    case 9: log = outcome("[String: Int]") { try container.decode([String: Int].self).sorted { $0.key < $1.key } }
    case 10: log = outcome("failing") { try container.decode(Failing.self) }
    case 11:
      log = outcome("unkeyed") {
        var inner = try container.nestedUnkeyedContainer()
        return (inner.count as Any, try? inner.decode(Int.self), inner.currentIndex)
      }
    case 12:
      log = outcome("keyed") {
        try container.nestedContainer(keyedBy: CodableKey.self).allKeys.map(\.stringValue).sorted()
      }
    case 13:
      log = outcome("super") {
        let inner = try container.superDecoder()
        return (try inner.singleValueContainer().decodeNil(), inner.codingPath.count)
      }
    case 14: log = outcome("[[Int]]") { try container.decode([[Int]].self) }
    case 15: log = outcome("failing if present") { try container.decodeIfPresent(Failing.self) as Any }
    default: log = outcome("Float") { try container.decode(Float.self) }
    }
    return "\(log), then \(container.currentIndex) of \(container.count ?? -1), at end \(container.isAtEnd)"
  }

  @Test func `a failed attempt at an element leaves the container where it was`() throws {
    let values: [Value] = [
      .null, .flag(true), .int(7), .int(-300), .double(0.5), .text("7"), .text(""), .list([]), .list([.int(1)]),
      .list([.text("a"), .null]), .list([.list([.int(2)])]), .table([:]), .table(["a": .int(1)]),
      .table(["super": .null]),
    ]
    for value in values {
      for first in 0..<Self.elementCalls {
        for second in 0..<Self.elementCalls {
          let (binary, json) = try logs(of: .list([value, .text("next")])) { decoder in
            var container = try decoder.unkeyedContainer()
            return [first, second, 1].map { Self.callElement($0, &container) }
          }
          #expect(binary == json, "\(value)")
        }
      }
    }
  }

  // MARK: Keyed containers

  private static let entryCalls = 16

  private static func callEntry(_ number: Int, _ key: String, _ container: KeyedDecodingContainer<CodableKey>) -> String
  {
    let key = CodableKey(stringValue: key)
    switch number {
    case 0: return outcome("Int") { try container.decode(Int.self, forKey: key) }
    case 1: return outcome("String") { try container.decode(String.self, forKey: key) }
    case 2: return outcome("Bool") { try container.decode(Bool.self, forKey: key) }
    case 3: return outcome("Double") { try container.decode(Double.self, forKey: key) }
    case 4: return outcome("Int if present") { try container.decodeIfPresent(Int.self, forKey: key) as Any }
    case 5: return outcome("nil") { try container.decodeNil(forKey: key) }
    case 6: return outcome("Int?") { try container.decode(Int?.self, forKey: key) as Any }
    case 7: return outcome("[Int]") { try container.decode([Int].self, forKey: key) }
    case 8: return outcome("failing") { try container.decode(Failing.self, forKey: key) }
    case 9: return outcome("unkeyed") { try container.nestedUnkeyedContainer(forKey: key).count as Any }
    case 10:
      return outcome("keyed") {
        try container.nestedContainer(keyedBy: CodableKey.self, forKey: key).allKeys.map(\.stringValue).sorted()
      }
    case 11: return outcome("super") { try describe(container.superDecoder()) }
    case 12: return outcome("super of key") { try describe(container.superDecoder(forKey: key)) }
    case 13: return outcome("contains") { container.contains(key) }
    case 14: return outcome("[Int] if present") { try container.decodeIfPresent([Int].self, forKey: key) as Any }
    default: return outcome("keys") { container.allKeys.map(\.stringValue).sorted() }
    }
  }

  /// The calls of a superclass's initializer.
  private static func describe(_ decoder: any Decoder) throws -> String {
    let path = path(decoder.codingPath)
    let isNull = try decoder.singleValueContainer().decodeNil()
    let keyed = outcome("keyed") { try decoder.container(keyedBy: CodableKey.self).allKeys.count }
    let unkeyed = outcome("unkeyed") { try decoder.unkeyedContainer().count as Any }
    let int = outcome("Int") { try decoder.singleValueContainer().decode(Int.self) }
    let optional = outcome("Int?") { try decoder.singleValueContainer().decode(Int?.self) as Any }
    return "\(path) \(isNull) \(keyed) \(unkeyed) \(int) \(optional)"
  }

  @Test func `a keyed container answers as that of JSON, also for missing keys and superclasses`() throws {
    let values: [Value] = [
      .null, .flag(true), .int(7), .double(0.5), .text("7"), .list([.int(1)]), .table(["a": .int(1)]), .table([:]),
    ]
    for value in values {
      for key in ["k", "super", "missing"] {
        for stored in [["k": value], ["super": value], ["k": value, "super": .table(["a": .null])], [:]] {
          let (binary, json) = try logs(of: .table(stored)) { decoder in
            let container = try decoder.container(keyedBy: CodableKey.self)
            return (0..<Self.entryCalls).map { Self.callEntry($0, key, container) }
          }
          #expect(binary == json, "\(stored), \(key)")
        }
      }
    }
  }

  // MARK: Random values and calls

  private static func randomValue(_ random: inout RandomStream, depth: Int = 0) -> Value {
    switch random.below(depth > 4 ? 6 : 9) {
    case 0: .null
    case 1: .flag(random.chance(oneIn: 2))
    case 2:
      .int(Int(truncatingIfNeeded: random.next() >> UInt64(11 + random.below(50))) * (random.chance(oneIn: 2) ? 1 : -1))
    case 3: .double(Double(random.below(2_000)) / 8 - 100)
    case 4, 5: .text(["", "a", "7", "null", "é", "\"[{"][random.below(6)])
    case 6, 7: .list((0..<random.below(5)).map { _ in randomValue(&random, depth: depth + 1) })
    default:
      .table(
        Dictionary(
          (0..<random.below(4)).map { _ in
            (["k", "super", "a", "é", ""][random.below(5)], randomValue(&random, depth: depth + 1))
          }
        ) { first, _ in first }
      )
    }
  }

  /// Makes random calls on the decoder's value and on the values inside it.
  private static func play(_ decoder: any Decoder, _ random: inout RandomStream, depth: Int = 0) -> [String] {
    var log: [String] = []
    if var container = try? decoder.unkeyedContainer() {
      // Behind the end, Foundation's `decodeIfPresent` counts on.
      for _ in 0..<8 where !container.isAtEnd {
        if depth < 4, random.chance(oneIn: 4) {
          let before = container.currentIndex
          // The container itself goes on after the element.
          if let inner = try? container.superDecoder() { log += play(inner, &random, depth: depth + 1) }
          log.append("super of \(before), then \(container.currentIndex)")
        } else {
          log.append(callElement(random.below(elementCalls), &container))
        }
      }
    } else if let container = try? decoder.container(keyedBy: CodableKey.self) {
      for _ in 0..<6 {
        let key = ["k", "super", "a", "é", ""][random.below(5)]
        if depth < 4, random.chance(oneIn: 3) {
          if let inner = try? container.superDecoder(forKey: CodableKey(stringValue: key)) {
            log += play(inner, &random, depth: depth + 1)
          }
        } else {
          log.append(callEntry(random.below(entryCalls), key, container))
        }
      }
    } else {
      log.append(outcome("alone") { try describe(decoder) })
    }
    return log
  }

  @Test func `random calls on random values have the outcomes that they have with JSON`() throws {
    let seed = Seed.announce(for: "CodableReferenceTests")
    for round in 0..<TestScale.count(3_000) {
      var random = RandomStream(seed: seed, "values \(round)")
      let value = Self.randomValue(&random)
      let (binary, json) = try logs(of: value) { decoder in
        var random = RandomStream(seed: seed, "calls \(round)")
        return Self.play(decoder, &random)
      }
      #expect(binary == json, "round \(round): \(value)")
      if binary != json { return }
    }
  }

  // MARK: Encoders

  @Test func `a failed attempt to encode leaves nothing behind`() throws {
    /// Encodes itself in the way with its number.
    struct Attempt: Codable, Sendable {
      let number: Int

      func encode(to encoder: any Encoder) throws {
        let key = { CodableKey(stringValue: $0) }
        switch number {
        case 0:
          var container = encoder.singleValueContainer()
          try? container.encode(Failing())
          try container.encode([1, 2])
        case 1:
          var container = encoder.unkeyedContainer()
          try container.encode(1)
          try? container.encode(Failing())
          try container.encode(2)
        case 2:
          var container = encoder.container(keyedBy: CodableKey.self)
          try container.encode(1, forKey: key("a"))
          try? container.encode(Failing(), forKey: key("b"))
          try container.encode(2, forKey: key("c"))
        case 3:
          var container = encoder.container(keyedBy: CodableKey.self)
          try container.encode("old", forKey: key("a"))
          try? container.encode(Failing(), forKey: key("a"))
        case 4:
          var container = encoder.container(keyedBy: CodableKey.self)
          try? container.encode([[1], []], forKey: key("a"))
          try? container.encodeIfPresent(nil as Int?, forKey: key("b"))
          try container.encodeNil(forKey: key("c"))
        default:
          var container = encoder.singleValueContainer()
          try? container.encode([Failing()])
          try? container.encode(["k": Failing()])
          try container.encode("last")
        }
      }
    }
    // JSON's encoder traps in these cases.
    #expect(areIdentical(try decoded(CodableValueEncoder.bytes(of: Attempt(number: 0))), [1, 2] as [Any]))
    #expect(areIdentical(try decoded(CodableValueEncoder.bytes(of: Attempt(number: 5))), "last"))
    for number in 1...4 {
      let binary = try CodableValueEncoder.bytes(of: Attempt(number: number))
      let json = try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(Attempt(number: number)),
        options: .fragmentsAllowed
      )
      #expect(areIdentical(try decoded(binary), try normalized(json)), "\(number)")
    }
  }
}
