import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import WALInspection

@Suite("Reading the WAL-index") struct WALIndexTests {
  private static let headerBytes = 48

  /// Calls `check` with the first bytes of an index that SQLite has written. Because of a reader, only some of the
  /// frames have been copied.
  private func withIndex(_ check: (_ bytes: [UInt8], _ frames: Int, _ copied: Int) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file.sqlite"
      let writer = try SQLiteHandle(path: path)
      try writer.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = off; CREATE TABLE t (k)")
      let reader = try SQLiteHandle(path: path)
      try reader.execute("BEGIN")
      _ = try reader.integer("SELECT count(*) FROM t")
      for number in 0..<5 { try writer.execute("INSERT INTO t VALUES (\(number))") }
      let copied = try #require(try writer.checkpoint(.passive).framesCopied)
      // Reading the file releases the locks of this process. No other process uses the database, so that does no harm.
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "-shm")).prefix(WALIndex.byteCount)
      try check(Array(bytes), writer.walFramesAfterCommit, copied)
    }
  }

  @Test func `has the figures that SQLite reports`() throws {
    try withIndex { bytes, frames, copied in
      let index = try #require(WALIndex(bytes))
      #expect(index.lastFrame == frames && index.copiedFrames == copied)
      #expect(0 < copied && copied < frames)
      #expect(index.marks.contains(copied))
      #expect(WALIndex(bytes.dropLast()) == nil)
    }
  }

  /// A header that is being changed differs from its copy, and a damaged one does not match its checksum.
  @Test func `rejects a header in which any byte is changed`() throws {
    try withIndex { bytes, _, _ in
      for offset in 0..<Self.headerBytes {
        for other: UInt8 in [1, 0x80, 0xff] {
          var changed = [bytes, bytes, bytes]
          changed[0][offset] ^= other
          changed[1][offset + Self.headerBytes] ^= other
          changed[2][offset] ^= other
          changed[2][offset + Self.headerBytes] ^= other
          for (number, bytes) in changed.enumerated() {
            #expect(WALIndex(bytes) == nil, "change \(number) at \(offset)")
          }
        }
      }
    }
  }
}
