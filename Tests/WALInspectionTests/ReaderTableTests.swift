import Testing

@testable import WALInspection

@Suite("The readers that limit a checkpoint") struct ReaderTableTests {
  private let holder = WALReport.Holder(process: 7, name: "reader")

  private func readers(_ marks: [Int?], held: Set<Int>, committed: Int = 1_000) -> [WALReport.Reader] {
    ReaderTable.readers(marks, committed: committed) { held.contains($0) ? [holder] : [] }
  }

  @Test func `only the oldest mark holds the frames up to the next mark`() {
    let readers = readers([0, 700, 200, 1_000, nil], held: [1, 2, 3])
    #expect(readers.map(\.mark) == [1, 2, 3])
    #expect(readers.map(\.framesBehind) == [300, 800, 0])
    #expect(readers.map(\.framesHeldAlone) == [0, 500, 0])
    #expect(ReaderTable.copyableFrames(readers, committed: 1_000, copied: 100) == 200)
    #expect(ReaderTable.copyableFrames(readers, committed: 1_000, copied: 200) == 200)
  }

  @Test func `a mark that no process holds is ignored`() {
    let readers = readers([0, 700, 200, nil, nil], held: [1])
    #expect(readers.map(\.framesHeldAlone) == [300])
    #expect(ReaderTable.copyableFrames(readers, committed: 1_000, copied: 0) == 700)
    #expect(ReaderTable.copyableFrames([], committed: 1_000, copied: 0) == 1_000)
  }

  @Test func `two marks at the same frame hold nothing alone`() {
    #expect(readers([0, 200, 200, nil, nil], held: [1, 2]).map(\.framesHeldAlone) == [0, 0])
  }

  @Test func `a checkpoint copies nothing while a reader reads only the database file`() {
    let readers = readers([0, 700, nil, nil, nil], held: [0, 1])
    #expect(readers.map(\.framesBehind) == [0, 300])
    #expect(ReaderTable.copyableFrames(readers, committed: 1_000, copied: 100) == 100)
  }
}

@Suite("The kernel's table of locks") struct LockTableTests {
  private let text = """
    1: POSIX  ADVISORY  WRITE 21985 fe:00:16466007 120 120
    2: POSIX  ADVISORY  READ 21985 fe:00:16466007 124 125
    3: POSIX  ADVISORY  READ 300 fe:00:16466007 124 124
    3: -> POSIX  ADVISORY  WRITE 400 fe:00:16466007 120 120
    4: POSIX  ADVISORY  READ 21985 fe:01:16466007 123 123
    5: POSIX  ADVISORY  READ 500 fe:00:16466008 123 123
    6: FLOCK  ADVISORY  WRITE 20252 fe:00:16466007 0 EOF
    7: POSIX  ADVISORY  READ 600 fe:00:16466007 128 EOF
    8: POSIX  ADVISORY  READ 601 fe:00:16466007 9 3
    9: POSIX  ADVISORY

    """

  @Test func `gives the holders of a byte of a file, also if ranges are joined`() {
    let table = LockTable(text, of: "fe:00:16466007")
    #expect(table.holders(of: LockByte.write) == [21_985])
    #expect(table.holders(of: LockByte.checkpoint) == [])
    #expect(table.holders(of: LockByte.reader(0)) == [])
    #expect(table.holders(of: LockByte.reader(1)) == [300, 21_985])
    #expect(table.holders(of: LockByte.reader(2)) == [21_985])
    #expect(table.holders(of: LockByte.open) == [600])
  }
}
