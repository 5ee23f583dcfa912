import Testing

@testable import BenchRunner

@Suite("The table of mounts") struct MountTableTests {
  private let table = """
    overlay / overlay rw,relatime 0 0
    tmpfs /zz tmpfs rw 0 0
    /dev/sda1 /zz/data ext4 rw 0 0
    /dev/sdb1 /zz/my\\040disk xfs rw 0 0
    nonsense
    proc /zz/proc
    """

  @Test func `a path is on its nearest mount`() {
    #expect(MountTable.fileSystem(of: "/zz/data/bench", in: table) == "ext4")
    #expect(MountTable.fileSystem(of: "/zz/data", in: table) == "ext4")
    #expect(MountTable.fileSystem(of: "/zz/other", in: table) == "tmpfs")
    #expect(MountTable.fileSystem(of: "/yy", in: table) == "overlay")
    #expect(MountTable.fileSystem(of: "/", in: table) == "overlay")
  }

  @Test func `a mount whose name is only a prefix of the folder's is ignored`() {
    #expect(MountTable.fileSystem(of: "/zz/database", in: table) == "tmpfs")
    #expect(MountTable.fileSystem(of: "/zzz", in: table) == "overlay")
  }

  @Test func `a space in a mount's name is written in octal`() {
    #expect(MountTable.fileSystem(of: "/zz/my disk/bench", in: table) == "xfs")
  }

  @Test func `a later mount on the same point hides the earlier one`() {
    let twice = table + "\ntmpfs /zz/data ramfs rw 0 0\n"
    #expect(MountTable.fileSystem(of: "/zz/data/bench", in: twice) == "ramfs")
  }

  @Test func `otherwise the order of mounts does not matter`() {
    let reversed = table.split(separator: "\n").reversed().joined(separator: "\n")
    #expect(MountTable.fileSystem(of: "/zz/data/bench", in: reversed) == "ext4")
  }

  @Test func `without a table the file system is unknown`() {
    #expect(MountTable.fileSystem(of: "/zz", in: "") == "unknown")
    #expect(MountTable.fileSystem(of: "/zz", in: "tmpfs /other tmpfs rw 0 0") == "unknown")
  }
}
