import Testing

@testable import BenchDrivers

@Suite("A message between processes") struct MessageTests {
  @Test func `is read as it was written`() throws {
    var writer = MessageWriter(TransactionStep.set)
    writer.put(UInt64.max)
    writer.put(Int64(-5))
    writer.put(true)
    writer.put([1, 2, 3])
    writer.put(nil as [UInt8]?)
    writer.put([] as [UInt8]?)
    writer.put("\u{e9}\u{0}\u{1F600}")
    writer.put(["a", ""])
    var reader = MessageReader(writer.bytes)
    try #expect(reader.takeWord(TransactionStep.self) == .set)
    try #expect(reader.take(UInt64.self) == .max)
    try #expect(reader.take(Int64.self) == -5)
    try #expect(reader.takeBool())
    try #expect(reader.takeBytes() == [1, 2, 3])
    try #expect(reader.takeOptionalBytes() == nil)
    try #expect(reader.takeOptionalBytes() == [])
    try #expect(reader.takeText() == "\u{e9}\u{0}\u{1F600}")
    try #expect(reader.takeTexts() == ["a", ""])
    #expect(reader.isAtEnd)
  }

  @Test func `that ends too early is rejected`() {
    var writer = MessageWriter()
    writer.put("abc")
    for length in 0..<writer.bytes.count {
      var reader = MessageReader(Array(writer.bytes.prefix(length)))
      #expect(throws: DamagedMessage.self) { try reader.takeText() }
    }
    var unknown = MessageReader([200])
    #expect(throws: DamagedMessage.self) { try unknown.takeWord(Reply.self) }
  }
}
