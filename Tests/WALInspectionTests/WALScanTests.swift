import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing

@testable import WALInspection

@Suite("Reading a WAL as recovery does") struct WALScanTests {
  private func database(_ path: String, pageSize: Int) throws -> SQLiteHandle {
    let handle = try SQLiteHandle(path: path)
    try handle.execute("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = wal; PRAGMA synchronous = off")
    try handle.setCheckpointOnClose(false)
    try handle.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v BLOB)")
    return handle
  }

  private func write(_ handle: SQLiteHandle, _ number: Int) throws {
    try handle.execute("INSERT OR REPLACE INTO t VALUES (\(number % 7), randomblob(\(100 + number * 997 % 9_000)))")
  }

  private func scan(_ path: String) throws -> WALScan {
    var scan = WALScan()
    try scan.advance(in: try #require(try ReadOnlyFile(path: path + "-wal")))
    return scan
  }

  @Test(arguments: [512, 4_096, 65_536])
  func `counts the same frames as SQLite, while they are written and after restarts of the WAL`(pageSize: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file.sqlite"
      let handle = try database(path, pageSize: pageSize)
      var followed = WALScan()
      let file = try #require(try ReadOnlyFile(path: path + "-wal"))
      var generations: Set<UInt32> = []
      for number in 1...60 {
        try write(handle, number)
        let frames = handle.walFramesAfterCommit
        try followed.advance(in: file)
        #expect(followed.committedFrames == frames && followed.frames >= frames)
        #expect(followed.pageSize == pageSize)
        generations.insert(try #require(followed.generation))
        try #expect(Int64(followed.databasePages) == handle.integer("PRAGMA page_count"))
        let whole = try scan(path)
        #expect(whole.committedFrames == frames && whole.commits == followed.commits)
        #expect(whole.committedPages == followed.committedPages)
        // The next write begins at the start of the file. The remaining old frames do not count.
        if number % 20 == 0 { try #expect(handle.checkpoint(.restart).framesCopied == frames) }
      }
      #expect(generations.count == 3)
    }
  }

  @Test func `accepts the same frames of a truncated or damaged WAL as SQLite`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file.sqlite"
      let handle = try database(path, pageSize: 1_024)
      for number in 1...30 { try write(handle, number) }
      let main = try Data(contentsOf: URL(fileURLWithPath: path))
      let wal = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      let seed = Seed.announce(for: "WALScanTests")
      var random = RandomStream(seed: seed)
      let whole = try scan(path).committedFrames
      var shortened = 0
      for trial in 0..<60 {
        var damaged = wal
        if trial % 2 == 0 {
          damaged = damaged.prefix(random.below(wal.count + 1))
        } else {
          damaged[random.below(trial % 5 == 1 ? 32 : wal.count)] ^= UInt8(1 + random.below(255))
        }
        let copy = folder + "/copy\(trial).sqlite"
        try main.write(to: URL(fileURLWithPath: copy))
        try damaged.write(to: URL(fileURLWithPath: copy + "-wal"))
        let found = try scan(copy)
        let reader = try SQLiteHandle(path: copy)
        _ = try reader.integer("SELECT count(*) FROM sqlite_schema")
        let recovered = try reader.checkpoint(.passive).framesInWAL ?? 0
        #expect(found.committedFrames == recovered, "seed \(seed), trial \(trial)")
        if recovered < whole { shortened += 1 }
      }
      // These trials fail a scan that ignores checksums or salts.
      #expect(shortened > 0)
    }
  }
}
