import Foundation
import SQLiteBinding
import Testing

@testable import WALInspection

@Suite("Reading the WAL-index") struct WALIndexTests {
  private static let headerBytes = 48

  /// The first bytes of an index that SQLite has written: beside a reader some of its frames are copied.
  private func index(_ look: (_ bytes: [UInt8], _ frames: Int, _ copied: Int) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/file.sqlite"
    let writer = try SQLiteHandle(path: path)
    try writer.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = off; CREATE TABLE t (k)")
    let reader = try SQLiteHandle(path: path)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM t")
    for number in 0..<5 { try writer.execute("INSERT INTO t VALUES (\(number))") }
    let copied = try #require(try writer.checkpoint(.passive).framesCopied)
    // No other process has the file: the locks that are lost by this keep nobody out.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "-shm")).prefix(WALIndex.byteCount)
    try look(Array(bytes), writer.walFramesAfterCommit, copied)
  }

  @Test func `tells what SQLite tells`() throws {
    try index { bytes, frames, copied in
      let index = try #require(WALIndex(bytes))
      #expect(index.lastFrame == frames && index.copiedFrames == copied)
      #expect(0 < copied && copied < frames)
      #expect(index.marks.contains(copied))
      #expect(WALIndex(bytes.dropLast()) == nil)
    }
  }

  /// A header that is being changed differs from its copy, and one that is damaged from its checksum.
  @Test func `does not take a header that lies, whichever byte it is`() throws {
    try index { bytes, _, _ in
      for place in 0..<Self.headerBytes {
        for other: UInt8 in [1, 0x80, 0xff] {
          var lies = [bytes, bytes, bytes]
          lies[0][place] ^= other
          lies[1][place + Self.headerBytes] ^= other
          lies[2][place] ^= other
          lies[2][place + Self.headerBytes] ^= other
          for (number, lie) in lies.enumerated() { #expect(WALIndex(lie) == nil, "lie \(number) at \(place)") }
        }
      }
    }
  }
}
