/// A whole number that JSON contains as a number up to 2⁵³, and as a string of its digits above, because many readers
/// of JSON round greater numbers.
@propertyWrapper
public struct PortableInteger: Codable, Hashable, Sendable {
  private static let greatestNumber: UInt64 = 1 << 53

  public var wrappedValue: UInt64

  public init(wrappedValue: UInt64) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(UInt64.self) {
      wrappedValue = number
      return
    }
    guard let number = UInt64(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a whole number")
    }
    wrappedValue = number
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if wrappedValue <= Self.greatestNumber {
      try container.encode(wrappedValue)
    } else {
      try container.encode(String(wrappedValue))
    }
  }
}
