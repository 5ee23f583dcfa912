import Foundation
import HarnessPrimitives
import TestSupport

/// A value with properties of every kind.
struct Everything: Codable, Equatable, Sendable {
  enum Kind: String, Codable, Sendable {
    case text, picture
  }

  enum Choice: Codable, Equatable, Sendable {
    case none
    case pair(left: Int, right: String?)
    indirect case inner(Choice)
  }

  struct Part: Codable, Equatable, Sendable {
    var name: String
    var sizes: [Int8]
    var parts: [Part]
  }

  struct Nothing: Codable, Equatable, Sendable {}

  var text: String
  var maybe: String?
  var flag: Bool
  var int: Int
  var small: [Int16]
  var wide: UInt64
  var float: Float
  var double: Double
  var date: Date
  var data: Data
  var bytes: [UInt8]
  var id: UUID
  var link: URL
  var price: Decimal
  var kind: Kind
  var choice: Choice
  var part: Part?
  var holes: [Int?]
  var named: [String: [Double]]
  var numbered: [Int: String]
  var keyed: [Kind: Int]
  var set: Set<String>
  var nothing: Nothing
}

/// Random values that JSON can represent, so that both formats can be compared.
struct EverythingGenerator {
  var random: RandomStream

  mutating func value() -> Everything {
    Everything(
      text: text(),
      maybe: random.chance(oneIn: 2) ? nil : text(),
      flag: random.chance(oneIn: 2),
      int: Int(bits()),
      small: list { Int16(truncatingIfNeeded: $0.bits()) },
      wide: UInt64(bitPattern: bits()),
      float: Float(random.below(1_000)) / 8,
      double: Double(bits()) / 1_024,
      date: Date(timeIntervalSinceReferenceDate: Double(random.below(2_000_000_000)) / 7 - 1e8),
      data: Data(list { UInt8(truncatingIfNeeded: $0.bits()) }),
      bytes: list { UInt8(truncatingIfNeeded: $0.bits()) },
      id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.below(256)))),
      link: URL(string: "https://example.org/\(random.below(1_000))") ?? URL(fileURLWithPath: "/"),
      price: Decimal(random.below(100_000)) / 100,
      kind: random.chance(oneIn: 2) ? .text : .picture,
      choice: choice(depth: 0),
      part: random.chance(oneIn: 3) ? nil : part(depth: 0),
      holes: list { $0.random.chance(oneIn: 2) ? nil : Int($0.bits()) },
      named: Dictionary(list { ($0.text(), [Double($0.random.below(9))]) }) { first, _ in first },
      numbered: Dictionary(list { (Int($0.bits()), $0.text()) }) { first, _ in first },
      keyed: random.chance(oneIn: 2) ? [:] : [.text: 1, .picture: 2],
      set: Set(list { $0.text() }),
      nothing: Everything.Nothing()
    )
  }

  /// A number of random magnitude, so that encodings of every length occur.
  private mutating func bits() -> Int64 { Int64(bitPattern: random.next()) >> Int64(random.below(64)) }

  private mutating func list<Element>(_ element: (inout EverythingGenerator) -> Element) -> [Element] {
    (0..<random.below(5)).map { _ in element(&self) }
  }

  private mutating func text() -> String {
    let pieces = ["a", "", "\u{e9}", "\u{0}", "日本", "🇩🇪", "key", "a longer text than fits into a small string"]
    return (0..<random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  private mutating func choice(depth: Int) -> Everything.Choice {
    switch random.below(depth > 4 ? 2 : 3) {
    case 0: .none
    case 1: .pair(left: Int(bits()), right: random.chance(oneIn: 2) ? nil : text())
    default: .inner(choice(depth: depth + 1))
    }
  }

  private mutating func part(depth: Int) -> Everything.Part {
    let parts = depth > 2 ? [] : list { $0.part(depth: depth + 1) }
    return Everything.Part(name: text(), sizes: list { Int8(truncatingIfNeeded: $0.bits()) }, parts: parts)
  }
}

/// A class whose subclass encodes it with `superEncoder`.
class Vehicle: Codable {
  var wheels = 4
}

final class Truck: Vehicle {
  private enum CodingKeys: CodingKey { case load }

  var load = 7

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    load = try container.decode(Int.self, forKey: .load)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(load, forKey: .load)
  }
}

/// A type that fills several requested containers alternately, and encodes a key twice.
struct Interleaved: Codable, Equatable, Sendable {
  private enum CodingKeys: CodingKey { case list, table, twice, elements }

  var numbers = [1, 2, 3]

  init() {}

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: CodingKeys.self)
    try outer.encode("first", forKey: .twice)
    var list = outer.nestedUnkeyedContainer(forKey: .list)
    var table = outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .table)
    for number in numbers {
      try list.encode(number)
      var element = list.nestedUnkeyedContainer()
      try table.encode(number, forKey: .list)
      try element.encode(-number)
    }
    // The same container again.
    var again = outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .table)
    try again.encode(numbers.count, forKey: .twice)
    try list.encodeNil()
    try outer.encode("second", forKey: .twice)
  }

  init(from decoder: any Decoder) throws {
    let outer = try decoder.container(keyedBy: CodingKeys.self)
    guard try outer.decode(String.self, forKey: .twice) == "second" else { throw Deliberate() }
    var list = try outer.nestedUnkeyedContainer(forKey: .list)
    numbers = []
    while try !list.decodeNil() {
      numbers.append(try list.decode(Int.self))
      var element = try list.nestedUnkeyedContainer()
      guard try element.decode(Int.self) == -(numbers.last ?? 0), element.isAtEnd else { throw Deliberate() }
    }
    let table = try outer.nestedContainer(keyedBy: CodingKeys.self, forKey: .table)
    guard list.isAtEnd, list.count == list.currentIndex, try table.decode(Int.self, forKey: .list) == numbers.last,
      try table.decode(Int.self, forKey: .twice) == numbers.count
    else { throw Deliberate() }
  }
}
