import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchRunner

@Suite("The use of the disk by others") struct DiskUseTests {
  private let table = """
       8       0 sda 100 1 2000 5 40 9 1000 7 0 12 13 1 0 2 0 30 4
       8       1 sda1 100 1 2000 5 40 9 1000 7 0 12 13 1 0 2 0 0 0
       8      16 sdb 10 0 20 5 4 0 30 7 0 12 13

    """

  @Test func `the traffic of a disk is what the kernel counts for it`() {
    #expect(DiskTraffic(of: ["sda"], in: table) == DiskTraffic(bytes: 3_000 * 512, syncs: 30))
    // A kernel that does not count syncs.
    #expect(DiskTraffic(of: ["sdb"], in: table) == DiskTraffic(bytes: 50 * 512, syncs: 0))
    #expect(DiskTraffic(of: ["sda", "sdb"], in: table) == DiskTraffic(bytes: 3_050 * 512, syncs: 30))
    #expect(DiskTraffic(of: ["vda"], in: table) == nil)
    #expect(DiskTraffic(of: [], in: "") == nil)
  }

  @Test func `bytes that were truncated before they reached the disk do not count`() {
    let text = "rchar: 5\nwchar: 6\nread_bytes: 4096\nwrite_bytes: 12288\ncancelled_write_bytes: 8192\n"
    #expect(ProcFile.diskBytes(inIO: text) == 8_192)
    #expect(ProcFile.diskBytes(inIO: "") == nil)
  }

  @Test func `the disks of a folder are in the kernel's table`() {
    let disks = DiskTraffic.disks(of: FileManager.default.temporaryDirectory.path)
    // A machine without disks has none.
    if !disks.isEmpty { #expect(DiskTraffic(of: disks) != nil) }
    // Files in memory, or of the kernel, are on no disk.
    #expect(DiskTraffic.disks(of: "/proc").isEmpty && DiskUse(folder: "/proc") == nil)
  }

  @Test func `the bytes of others never decrease`() throws {
    let folder = try TemporaryFolder()
    guard let use = DiskUse(folder: folder.path) else { return }
    let before = try #require(use.traffic())
    // Bytes of this process count at once, and reach the disk later.
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: folder.path + "/file"))
    let after = try #require(use.traffic())
    #expect(after.bytes >= before.bytes && after.syncs >= before.syncs)
  }
}
