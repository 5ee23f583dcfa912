import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Whether two basic values have the same type and content, through all containers. Numbers compare by their bits.
func areIdentical(_ left: Any, _ right: Any) -> Bool {
  guard type(of: left) == type(of: right) else { return false }
  switch (left, right) {
  case (let left as [UInt8], let right as [UInt8]) where type(of: left) == [UInt8].self: return left == right
  case (let left as Float, let right as Float): return left.bitPattern == right.bitPattern
  case (let left as Double, let right as Double): return left.bitPattern == right.bitPattern
  case (let left as Date, let right as Date):
    return areIdentical(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
  case (let left as String, let right as String): return Array(left.utf8) == Array(right.utf8)
  case (let left as [Any], let right as [Any]):
    return left.count == right.count && zip(left, right).allSatisfy(areIdentical)
  case (let left as [String: Any], let right as [String: Any]):
    return left.count == right.count
      && left.allSatisfy { key, value in right[key].map { areIdentical(value, $0) } ?? false }
  case (let left as any Hashable, let right as any Hashable): return AnyHashable(left) == AnyHashable(right)
  default: return false
  }
}

/// The bytes that a codec writes for a value that needs no normalization.
func encoded(_ value: Any, by codec: YapDatabaseCodec = .basic) throws -> [UInt8] {
  var found: [UInt8] = []
  try codec.encode(value, "c", "k") { found = [UInt8]($0) }
  return found
}

func decoded(_ bytes: [UInt8], by codec: YapDatabaseCodec = .basic) throws -> Any {
  try bytes.withUnsafeBytes { try codec.decode($0, "c", "k") }
}

func normalized(_ value: Any, by codec: YapDatabaseCodec = .basic) throws -> Any {
  try codec.normalize?(value, "c", "k") ?? value
}

/// Random values of every type that the codec `basic` stores.
struct BasicValueGenerator {
  var random: RandomStream

  mutating func value(depth: Int = 0) -> Any {
    switch random.below(depth > 4 ? 20 : 26) {
    case 0: return random.chance(oneIn: 2)
    case 1: return Int(bits())
    case 2: return Int8(truncatingIfNeeded: bits())
    case 3: return Int16(truncatingIfNeeded: bits())
    case 4: return Int32(truncatingIfNeeded: bits())
    case 5: return bits()
    case 6: return UInt(bitPattern: Int(bits()))
    case 7: return UInt8(truncatingIfNeeded: bits())
    case 8: return UInt16(truncatingIfNeeded: bits())
    case 9: return UInt32(truncatingIfNeeded: bits())
    case 10: return UInt64(bitPattern: bits())
    case 11: return Float(bitPattern: UInt32(truncatingIfNeeded: bits()))
    case 12: return Double(bitPattern: UInt64(bitPattern: bits()))
    case 13: return Date(timeIntervalSinceReferenceDate: Double(random.below(2_000_000_000)) / 7 - 1e8)
    case 14, 15: return text()
    case 16: return Data(bytes())
    case 17: return bytes()
    case 18: return URL(string: "https://example.org/\(random.below(1_000))?q=\(random.below(10))") ?? NSNull()
    case 19: return random.chance(oneIn: 2) ? NSNull() : UUID(uuid: uuid())
    case 20...22: return (0..<random.below(5)).map { _ in value(depth: depth + 1) }
    default:
      var dictionary: [String: Any] = [:]
      for _ in 0..<random.below(5) { dictionary[text()] = value(depth: depth + 1) }
      return dictionary
    }
  }

  /// A number of random magnitude, so that encodings of every length occur.
  private mutating func bits() -> Int64 { Int64(bitPattern: random.next()) >> Int64(random.below(64)) }

  private mutating func bytes() -> [UInt8] {
    (0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func text() -> String {
    let pieces = ["a", "", "\u{e9}", "e\u{301}", "\u{0}", "日本", "🇩🇪", "key", "z"]
    return (0..<random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  private mutating func uuid() -> uuid_t {
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { for index in $0.indices { $0[index] = UInt8(random.below(256)) } }
    return uuid
  }
}
