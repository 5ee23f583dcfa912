import Testing

@testable import BenchDrivers

@Suite("The stored value of a row") struct StoredRowTests {
  @Test(arguments: [[], [1], [1, 2, 3]] as [[UInt8]], [nil, [], [9], [9, 8]] as [[UInt8]?])
  func `has the object and the metadata`(object: [UInt8], metadata: [UInt8]?) throws {
    let value = StoredRow.value(object: object, metadata: metadata)
    #expect(value.count == 4 + object.count + (metadata?.count ?? 0))
    try value.withUnsafeBytes { bytes in
      let row = try StoredRow(bytes)
      #expect([UInt8](row.object) == object)
      #expect(row.metadata.map { [UInt8]($0) } == metadata)
    }
  }

  @Test(arguments: [[], [0], [0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0, 7]] as [[UInt8]])
  func `is damaged if it is shorter than its parts`(value: [UInt8]) {
    #expect(throws: DamagedStoredRow.self) { try value.withUnsafeBytes { _ = try StoredRow($0) } }
  }
}
