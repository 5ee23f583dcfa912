import HarnessPrimitives
import TestSupport
import Testing

@testable import CommitLedger

/// A ledger of three commits, and every way to falsify it.
@Suite struct LedgerTests {
  private static let entries: [(bytes: [UInt8], digest: UInt64)] = {
    var previous: UInt64 = 0
    return (1...3).map { commit in
      let entry = LedgerEntry(
        commit: UInt64(commit),
        connection: 7,
        sequence: UInt64(commit),
        previous: previous,
        writes: [
          LedgerEntry.Write(.row, "k\(commit)", in: "c", object: UInt64(commit), metadata: 5),
          LedgerEntry.Write(.removal, "k1", in: commit == 3 ? "c" : "other"),
        ]
      )
      let encoded = entry.encoded()
      previous = encoded.digest
      return encoded
    }
  }()

  private static func replay(_ entries: [[UInt8]]) -> (replay: LedgerReplay, errors: [String]) {
    var replay = LedgerReplay()
    let errors = entries.compactMap { bytes -> String? in
      let commit = LedgerEntry.decode(bytes)?.entry.commit ?? 0
      return replay.apply(bytes, storedUnder: LedgerEntry.key(of: commit))
    }
    return (replay, errors)
  }

  @Test func `a correct ledger and its rows have no errors`() {
    var (replay, errors) = Self.replay(Self.entries.map(\.bytes))
    #expect(errors == [])
    #expect(replay.commit == 3)
    #expect(replay.rowCount == 2)
    for (key, object) in [("k2", 2), ("k3", 3)] as [(String, UInt64)] {
      #expect(replay.check(LedgerReplay.RowName(key, in: "c"), object: object, metadata: 5) == nil)
    }
    #expect(replay.missingRows(limit: 9) == [])
  }

  @Test func `entries survive encoding`() throws {
    for encoded in Self.entries {
      let decoded = try #require(LedgerEntry.decode(encoded.bytes))
      #expect(decoded.digest == encoded.digest)
      #expect(decoded.entry.encoded().bytes == encoded.bytes)
    }
  }

  @Test func `every changed bit and every truncation of an entry is found`() {
    let bytes = Self.entries[1].bytes
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(LedgerEntry.decode(changed) == nil)
      }
      #expect(LedgerEntry.decode(Array(bytes[..<index])) == nil)
    }
  }

  @Test func `a missing, repeated or foreign entry is found, with its number`() {
    let bytes = Self.entries.map(\.bytes)
    #expect(Self.replay([bytes[0], bytes[2]]).errors.first?.contains("commit 2 is missing") == true)
    #expect(Self.replay([bytes[0], bytes[0]]).errors.first?.contains("commit 1 after commit 1") == true)
    var foreign = LedgerEntry.decode(bytes[1])!.entry
    foreign.previous &+= 1
    #expect(Self.replay([bytes[0], foreign.encoded().bytes]).errors.first?.contains("does not follow") == true)
    foreign = LedgerEntry.decode(bytes[1])!.entry
    foreign.sequence = 9
    #expect(Self.replay([bytes[0], foreign.encoded().bytes]).errors.first?.contains("expected 2") == true)
    foreign.sequence = 2
    foreign.unrecorded = 1
    foreign.commit = 3
    #expect(Self.replay([bytes[0], foreign.encoded().bytes]).errors == [])
  }

  @Test func `wrong rows are found, with their keys`() {
    var replay = Self.replay(Self.entries.map(\.bytes)).replay
    func name(_ key: String) -> LedgerReplay.RowName { LedgerReplay.RowName(key, in: "c") }
    #expect(replay.check(name("k2"), object: 9, metadata: 5)?.contains("\"c\"/k2 is not the one that commit 2") == true)
    #expect(replay.check(name("k2"), object: 2, metadata: 5)?.contains("k2 exists") == true)
    #expect(replay.check(name("k1"), object: 1, metadata: 5)?.contains("k1 exists") == true)
    #expect(replay.missingRows(limit: 9) == ["row \"c\"/k3 is missing, but commit 3 wrote it"])
    #expect(replay.check(name("k3"), object: 3, metadata: 0)?.contains("metadata") == true)
  }
}
