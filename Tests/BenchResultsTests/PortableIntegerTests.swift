import Foundation
import Testing

@testable import BenchResults

struct PortableIntegerTests {
  private struct Record: Codable, Equatable {
    @PortableInteger var seed: UInt64
  }

  @Test(
    arguments: [
      (0, "0"), (1 << 53, "9007199254740992"), (1 << 53 + 1, "\"9007199254740993\""),
      (.max, "\"18446744073709551615\""),
    ] as [(UInt64, String)]
  )
  func `Numbers above 2^53 are strings`(number: UInt64, text: String) throws {
    let record = Record(seed: number)
    let data = try JSONEncoder().encode(record)
    #expect(String(decoding: data, as: UTF8.self) == "{\"seed\":\(text)}")
    #expect(try JSONDecoder().decode(Record.self, from: data) == record)
  }

  @Test(arguments: ["-1", "1.5", "\"x\"", "\"-1\"", "null"])
  func `Other values are refused`(text: String) {
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Record.self, from: Data("{\"seed\":\(text)}".utf8)) }
  }
}
