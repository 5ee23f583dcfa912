internal import BenchResults
internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// Makes every folder in which SQLite would create temporary files read-only for this process, as in a container whose
/// only writable volume is the database's.
///
/// The process must have a mount namespace of its own. Its working folder, which SQLite tries last, becomes one of
/// these folders.
struct ReadOnlyTemporaryFolders {
  /// The name of the count of cases.
  static let countName = "read-only temporary folders"

  /// The sentence of campaigns on a machine that permits no mounts.
  static let untested = "Read-only folders for temporary files, because mounts are not permitted here."

  /// The folders that SQLite tries, in this order. Source: `unixTempFileDir` in SQLite's os_unix.c.
  private static var candidates: [String] {
    let variables = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { ProcessInfo.processInfo.environment[$0] }
    return variables + ["/var/tmp", "/usr/tmp", "/tmp"]
  }

  private let folders: [String]
  private let kept: String
  private let workingFolder: String

  /// Whether a case uses read-only folders where mounts are permitted: one in four cases. The number is mixed, because
  /// campaigns choose other properties of cases by its remainder.
  static func areUsed(byCase number: Int) -> Bool { RandomStream.mix(UInt64(number) &+ 0x7e4d) % 4 == 0 }

  /// Runs a case with read-only folders, if the case uses them and its process has a mount namespace of its own.
  static func run(_ testCase: StressCase, _ body: () throws -> CaseOutcome) throws -> CaseOutcome {
    guard areUsed(byCase: testCase.number), testCase.hasOwnMounts else { return try body() }
    let folders = try ReadOnlyTemporaryFolders(keeping: testCase.folder)
    let result = Result { try body() }
    try folders.restore()
    var outcome = try result.get()
    outcome.count(countName)
    return outcome
  }

  /// The requirement of a campaign whose cases call `run`; none if the machine permits no mounts.
  static var requirements: [StressRequirement] {
    guard MountNamespace.isAvailable else { return [] }
    return [StressRequirement(countName, else: "no case had read-only temporary folders")]
  }

  /// - Parameter kept: A folder that stays writable, with everything in it.
  /// - Throws: `POSIXError`.
  init(keeping kept: String) throws {
    self.kept = kept
    workingFolder = FileManager.default.currentDirectoryPath
    var seen: Set<String> = []
    folders = Self.candidates.compactMap { folder in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
        return nil
      }
      return URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    }.filter { seen.insert($0).inserted }
    // Opened before the folder around it is mounted again, so that it leads to the writable file system.
    let descriptor = open(kept, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try SystemCall.check(descriptor)
    defer { close(descriptor) }
    var mounted: [String] = []
    do {
      for folder in folders {
        try MountNamespace.makeReadOnly(folder)
        mounted.append(folder)
      }
      try SystemCall.check(mount("/proc/self/fd/\(descriptor)", kept, "", UInt(MS_BIND | MS_REC), nil))
      mounted.append(kept)
      if let folder = folders.last { try SystemCall.check(chdir(folder)) }
    } catch {
      // The process runs further cases.
      for folder in mounted.reversed() { umount2(folder, Int32(MNT_DETACH)) }
      throw error
    }
  }

  /// Makes the folders writable again.
  func restore() throws {
    try SystemCall.check(chdir("/"))
    for folder in [kept] + folders.reversed() { try SystemCall.check(umount2(folder, Int32(MNT_DETACH))) }
    try SystemCall.check(chdir(workingFolder))
  }
}
