internal import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// The traffic of disks since the machine booted.
struct DiskTraffic: Equatable {
  /// Bytes that were read or written.
  var bytes: Int
  /// Syncs of the disks. One sync of a file may need two of them: one before a block of the file system's journal, and
  /// one after it.
  var syncs: Int

  init(bytes: Int, syncs: Int) { (self.bytes, self.syncs) = (bytes, syncs) }

  /// - Parameters:
  ///   - disks: Names of disks in `table`.
  ///   - table: The text of /proc/diskstats: https://docs.kernel.org/admin-guide/iostats.html
  /// - Returns: nil if the table has none of the disks.
  init?(of disks: Set<String>, in table: String = ProcFile.read("/proc/diskstats")) {
    (bytes, syncs) = (0, 0)
    var isFound = false
    for line in table.split(separator: "\n") {
      // major minor name, and then the numbers: of these, the 3rd are sectors read, the 7th sectors written, and the
      // 16th, since Linux 5.5, syncs. A sector has 512 bytes on any disk.
      let fields = line.split(separator: " ")
      guard fields.count > 9, disks.contains(String(fields[2])), let read = Int(fields[5]), let written = Int(fields[9])
      else { continue }
      isFound = true
      bytes += (read + written) * 512
      syncs += fields.count > 18 ? Int(fields[18]) ?? 0 : 0
    }
    if !isFound { return nil }
  }

  /// Returns the disk that holds a folder, or none for files in memory or on other machines. Where the kernel does not
  /// show the disk, as in most containers and on logical volumes, returns all disks.
  static func disks(of folder: String) -> Set<String> {
    let diskless = MountTable.memoryFileSystems.union(MountTable.remoteFileSystems)
    if diskless.contains(MountTable.fileSystem(of: folder)) { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/block")) ?? []
    // Devices that are parts of others, or in memory, have no hardware.
    let all = Set(names.filter { FileManager.default.fileExists(atPath: "/sys/block/\($0)/device") })
    let disks = all.filter { ProcFile.read("/sys/block/\($0)/hidden").first != "1" }
    let own = disk(of: folder, among: disks)
    let found = own.map { [$0] } ?? disks
    // Some kernels count the traffic of an NVMe disk only at its paths, which are hidden.
    return DiskTraffic(of: found)?.bytes == 0 ? all : found
  }

  private static func disk(of folder: String, among disks: Set<String>) -> String? {
    var status = stat()
    guard stat(folder, &status) == 0 else { return nil }
    let major = status.st_dev >> 8 & 0xfff | status.st_dev >> 32 & ~0xfff
    let minor = status.st_dev & 0xff | status.st_dev >> 12 & ~0xff
    // A partition is a folder in the one of its disk.
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/sys/dev/block/\(major):\(minor)")
    return (link ?? "").split(separator: "/").suffix(2).map(String.init).first(where: disks.contains)
  }
}

/// The part of a disk's traffic that other processes cause.
///
/// The kernel counts the traffic of a disk, and the bytes that a process causes. The rest is the other processes'. The
/// journal of the file system counts for no process, so each sync of the database's files is allowed as much traffic as
/// it may cause there. Therefore other processes that write little, and sync no more often than the run, are not seen.
struct OthersTraffic {
  /// The journal's blocks for a file that has grown, in ext4: a descriptor, the file's entry, and the commit.
  static let journalBytesPerSync = 16_384
  static let diskSyncsPerSync = 2

  private let before: DiskTraffic
  private let ownBytesBefore: Int
  private var syncs = 0
  private var most = (bytes: 0, syncs: 0)

  init(before: DiskTraffic, ownBytes: Int) { (self.before, ownBytesBefore) = (before, ownBytes) }

  /// Returns the bytes and syncs of others so far. Written bytes count for their process at once, and reach the disk
  /// later, so this is the greatest difference so far.
  /// - Parameters:
  ///   - ownBytes: The bytes that this process has caused.
  ///   - newSyncs: The syncs of the database's files since the last call.
  mutating func add(_ disk: DiskTraffic, ownBytes: Int, newSyncs: Int) -> (bytes: Int, syncs: Int) {
    syncs += newSyncs
    let bytes = disk.bytes - before.bytes - (ownBytes - ownBytesBefore) - syncs * Self.journalBytesPerSync
    let diskSyncs = disk.syncs - before.syncs - syncs * Self.diskSyncsPerSync
    most = (max(most.bytes, bytes), max(most.syncs, diskSyncs))
    return most
  }
}

/// The use of a disk in a second.
package struct DiskRate: Sendable, Equatable {
  /// If other processes read and write more than this on the database's disk, or sync it more often, the times of
  /// transactions that wait for the disk are those of a slower one. Less keeps a disk that writes 100 MB in a second,
  /// and needs 1 ms for a sync, busy for 1 % of the time each: too little to change a p99.
  static let greatestOfOthers = DiskRate(bytes: 1_048_576, syncs: 10)

  package var bytes: Double
  package var syncs: Double

  var isTooMuch: Bool { bytes > Self.greatestOfOthers.bytes || syncs > Self.greatestOfOthers.syncs }

  /// Such as "30MiB/s and 2 syncs/s".
  var text: String { "\(MeasuredText.make(bytes, .bytes))/s and \(Int(saturating: syncs.rounded())) syncs/s" }
}

/// Measures the use of the database's disk by other processes during a run.
struct DiskUse {
  /// The traffic since the process first used the disks: what one run has written may reach the disk during the next.
  private static let counted = Guarded<[Set<String>: OthersTraffic]>([:])

  private let disks: Set<String>
  private var lastSyncs = 0

  /// - Parameter folder: The folder of the database.
  /// - Returns: nil if the kernel does not report the traffic of its disk, or of this process.
  init?(folder: String) {
    let disks = DiskTraffic.disks(of: folder)
    guard let before = DiskTraffic(of: disks), let own = ProcessFigures.diskBytes() else { return nil }
    self.disks = disks
    Self.counted.withLock { counted in
      if counted[disks] == nil { counted[disks] = OthersTraffic(before: before, ownBytes: own) }
    }
  }

  /// Returns the bytes and syncs of others, of which only the increase means something; nil if the driver does not
  /// count its syncs.
  /// - Parameters:
  ///   - writes: The writes to the database's files. The engine's process counts from 0 again after a restart.
  ///   - engine: The engine's own process, if there is one. The kernel adds the bytes of processes that have ended to
  ///     those of this one.
  mutating func ofOthers(_ writes: FileWrites?, engine: Int32?) -> (bytes: Int, syncs: Int)? {
    guard let writes, let disk = DiskTraffic(of: disks), let own = ProcessFigures.diskBytes() else { return nil }
    let newSyncs = writes.syncs < lastSyncs ? writes.syncs : writes.syncs - lastSyncs
    lastSyncs = writes.syncs
    let ownBytes = own + (engine.flatMap { ProcessFigures.diskBytes(of: $0) } ?? 0)
    return Self.counted.withLock { $0[disks]?.add(disk, ownBytes: ownBytes, newSyncs: newSyncs) }
  }
}
