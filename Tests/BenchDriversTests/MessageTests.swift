import Testing

@testable import BenchDrivers
@testable import BenchScenario

@Suite("A message between processes") struct MessageTests {
  /// The number of bytes before the fields, which contain the length of the fields.
  private static let lengthBytes = 4

  private static func reader(of writer: MessageWriter, prefix length: Int = .max) -> MessageReader {
    MessageReader(Array(writer.framed.dropFirst(lengthBytes).prefix(length)))
  }

  @Test func `is read as it was written`() throws {
    let text = "\u{e9}\u{0}\u{1F600}"
    let bytes: [UInt8] = [1, 2, 3]
    var writer = try MessageWriter(TransactionCall.set, UInt64.max, -5, true, bytes, nil as [UInt8]?, [] as [UInt8]?)
    try writer.put(text, ["a", ""])
    var reader = Self.reader(of: writer)
    try #expect(reader.take(TransactionCall.self) == .set)
    try #expect(reader.take(UInt64.self) == .max)
    try #expect(reader.take(Int.self) == -5)
    try #expect(reader.take(Bool.self))
    try #expect(reader.take([UInt8].self) == [1, 2, 3])
    try #expect(reader.take([UInt8]?.self) == nil)
    try #expect(reader.take([UInt8]?.self) == [])
    try #expect(reader.take(String.self) == text)
    try #expect(reader.take([String].self) == ["a", ""])
    #expect(reader.isAtEnd)
  }

  @Test func `begins with the length of its fields`() throws {
    let writer = try MessageWriter(Reply.answer, [UInt8](repeating: 7, count: 0x102))
    #expect(writer.framed.prefix(Self.lengthBytes) == [0x07, 0x01, 0, 0])
    #expect(writer.framed.count == Self.lengthBytes + 0x107)
  }

  @Test func `that ends too early is rejected`() throws {
    let writer = try MessageWriter("abc")
    for length in 0..<writer.framed.count - Self.lengthBytes {
      var reader = Self.reader(of: writer, prefix: length)
      #expect(throws: DamagedMessage.self) { try reader.take(String.self) }
    }
    var unknown = MessageReader([200])
    #expect(throws: DamagedMessage.self) { try unknown.take(Reply.self) }
  }

  @Test func `with bytes after the last field is rejected`() throws {
    let reader = Self.reader(of: try MessageWriter("key", "collection"))
    #expect(throws: DamagedMessage.self) { try reader.decoded(String.self) }
    #expect(throws: DamagedMessage.self) { try reader.decoded((String.self, String.self, Bool.self)) }
    let (key, collection) = try reader.decoded((String.self, String.self))
    #expect(key == "key" && collection == "collection")
  }

  @Test func `has fields in JSON, which are rejected if they are another value's`() throws {
    let view = ViewSettings(name: "byRow", collection: "rows")
    let writer = try MessageWriter(view)
    #expect(try Self.reader(of: writer).decoded(ViewSettings.self) == view)
    #expect(throws: DamagedMessage.self) { try Self.reader(of: writer).decoded(ConnectionSettings.self) }
  }
}
