import BenchResults
import Foundation
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

  @Test func `what neither the process nor its syncs have caused is of others`() throws {
    var others = OthersTraffic(before: DiskTraffic(bytes: 1_000, syncs: 10), ownBytes: 500)
    func add(disk: Int, own: Int, newSyncs: Int = 0, diskSyncs: Int) -> [Int] {
      let now = DiskTraffic(bytes: 1_000 + disk, syncs: 10 + diskSyncs)
      let found = others.add(now, ownBytes: 500 + own, newSyncs: newSyncs)
      return [found.bytes, found.syncs]
    }
    #expect(add(disk: 0, own: 0, diskSyncs: 0) == [0, 0])
    // 10 commits with a sync each; the journal takes 12 KiB more for each of them.
    #expect(add(disk: 160_000, own: 40_000, newSyncs: 10, diskSyncs: 20) == [0, 0])
    // The process has written a megabyte, which has not reached the disk, and then does.
    #expect(add(disk: 160_000, own: 1_040_000, diskSyncs: 20) == [0, 0])
    #expect(add(disk: 1_160_000, own: 1_040_000, diskSyncs: 20) == [0, 0])
    #expect(add(disk: 3_203_840, own: 1_040_000, diskSyncs: 25) == [2_000_000, 5])
    // Further writes of the process do not reduce the others' part.
    #expect(add(disk: 3_203_840, own: 9_000_000, newSyncs: 5, diskSyncs: 25) == [2_000_000, 5])
  }

  @Test func `the disks of a folder are in the kernel's table`() {
    let disks = DiskTraffic.disks(of: FileManager.default.temporaryDirectory.path)
    // A machine without disks has none.
    if !disks.isEmpty { #expect(DiskTraffic(of: disks) != nil) }
    // The kernel's own files are on no disk that it names.
    #expect(DiskTraffic.disks(of: "/proc").isSuperset(of: disks))
    if MountTable.fileSystem(of: "/dev/shm") == "tmpfs" { #expect(DiskTraffic.disks(of: "/dev/shm").isEmpty) }
  }

  @Test func `an engine's process that was replaced counts its syncs from 0 again`() throws {
    guard var use = DiskUse(folder: FileManager.default.temporaryDirectory.path) else { return }
    #expect(use.ofOthers(nil, engine: nil) == nil)
    var writes = FileWrites.zero
    var found: [Int] = []
    for syncs in [1_000_000, 3, 1_000_000] {
      writes.wal.syncs = syncs
      let others = use.ofOthers(writes, engine: nil)
      found.append(try #require(others).bytes)
    }
    // So many syncs explain any traffic of the disk.
    #expect(Set(found).count == 1)
  }
}
