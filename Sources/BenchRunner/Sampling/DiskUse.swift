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

  static func - (later: Self, earlier: Self) -> Self {
    DiskTraffic(bytes: later.bytes - earlier.bytes, syncs: later.syncs - earlier.syncs)
  }

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

  /// Returns the disk that holds a folder; all disks where the kernel does not show it, as in most containers and on
  /// logical volumes. Returns none for files in memory or on other machines, for file systems that write more to the
  /// disk than a journal, and if a disk may be a mirror, to which each byte is written twice.
  static func disks(of folder: String) -> Set<String> {
    guard journalingFileSystems.contains(MountTable.fileSystem(of: folder)) else { return [] }
    let devices = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/block")) ?? []
    // Devices that are parts of others, or in memory, have no hardware.
    let all = Set(devices.filter { FileManager.default.fileExists(atPath: "/sys/block/\($0)/device") })
    let disks = all.filter { ProcFile.read("/sys/block/\($0)/hidden").first != "1" }
    let own = disk(of: folder, among: disks)
    if own == nil, devices.contains(where: { $0.hasPrefix("md") }) { return [] }
    let found = own.map { [$0] } ?? disks
    // Some kernels count the traffic of an NVMe disk only at its paths, which are hidden.
    return DiskTraffic(of: found)?.bytes == 0 ? all : found
  }

  /// File systems with a journal on the disk of their files. The files of containers (overlay) are on another one.
  private static let journalingFileSystems: Set<String> = ["ext3", "ext4", "xfs", "overlay"]

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

/// Measures the traffic of the database's disk.
///
/// The kernel counts the traffic of a disk, and the bytes that a process causes. The rest belongs to other processes
/// and to the journal of the file system.
struct DiskUse {
  /// The greatest difference so far between the bytes of the disks and those of this process, for each set of disks. A
  /// process's written bytes count at once, and reach the disk later, maybe in the process's next run.
  private static let othersBytes = Guarded<[Set<String>: Int]>([:])

  private let disks: Set<String>

  /// - Parameter folder: The folder of the database.
  /// - Returns: nil if the kernel does not report the traffic of its disk, or of this process.
  init?(folder: String) {
    disks = DiskTraffic.disks(of: folder)
    if traffic() == nil { return nil }
  }

  /// Returns the bytes that this process has not caused, of which only the increase means something, and the syncs of
  /// the disk; nil if the kernel does not report them.
  func traffic() -> DiskTraffic? {
    guard let disk = DiskTraffic(of: disks), let own = ProcessFigures.diskBytes() else { return nil }
    let most = Self.othersBytes.withLock { bytes in
      let most = max(bytes[disks] ?? .min, disk.bytes - own)
      bytes[disks] = most
      return most
    }
    return DiskTraffic(bytes: most, syncs: disk.syncs)
  }
}

/// The use of a disk in a second by other processes than the run's.
package struct DiskRate: Sendable, Equatable {
  /// If other processes read and write more than this on the database's disk, or sync it more often, the times of
  /// transactions that wait for the disk are those of a slower one. Less keeps a disk that writes 100 MB in a second,
  /// and needs 1 ms for a sync, busy for 1 % of the time each: too little to change a p99.
  static let greatestOfOthers = DiskRate(bytes: 1_048_576, syncs: 10)
  /// The journal's blocks for a file that has grown, in ext4: a descriptor, the file's entry, and the commit.
  private static let journalBytesPerSync = 16_384
  private static let diskSyncsPerSync = 2

  package var bytes: Double
  package var syncs: Double

  package init(bytes: Double, syncs: Double) { (self.bytes, self.syncs) = (bytes, syncs) }

  /// The journal counts for no process, so each sync of the run is allowed as much traffic as it may cause there. Other
  /// processes that write little, and sync no more often than the run, are therefore not seen.
  /// - Parameters:
  ///   - traffic: The traffic that the run's process has not caused.
  ///   - syncs: The syncs of the run.
  ///   - seconds: Less than one counts as one, in which a daemon may write some blocks.
  init(_ traffic: DiskTraffic, syncs: Int = 0, seconds: Double) {
    let seconds = max(seconds, 1)
    bytes = Double(max(traffic.bytes - syncs * Self.journalBytesPerSync, 0)) / seconds
    self.syncs = Double(max(traffic.syncs - syncs * Self.diskSyncsPerSync, 0)) / seconds
  }

  var isTooMuch: Bool { bytes > Self.greatestOfOthers.bytes || syncs > Self.greatestOfOthers.syncs }

  /// Such as "30.0 MiB/s and 2 syncs/s".
  var text: String { "\(FigureUnit.bytes.text(bytes))/s and \(Int(saturating: syncs.rounded())) syncs/s" }
}
