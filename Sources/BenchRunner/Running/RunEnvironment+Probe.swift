internal import BenchDrivers
public import BenchResults
internal import Dispatch
internal import Foundation
internal import SystemFiles

extension RunEnvironment {
  /// Describes this machine and this program.
  /// - Parameter dataFolder: the folder of the database.
  public static func probe(dataFolder: String) -> RunEnvironment {
    let checkout = Checkout.ofThisProgram
    var environment = RunEnvironment()
    environment.machine = machineName
    environment.cpu = processor()
    environment.coreCount = ProcessInfo.processInfo.activeProcessorCount
    environment.memoryBytes = Int(ProcessInfo.processInfo.physicalMemory)
    environment.kernel = kernel()
    environment.fileSystem = MountTable.fileSystem(of: dataFolder)
    environment.sqliteVersion = DriverBuild.sqliteVersion
    environment.sqliteHasWALResetDefect = DriverBuild.sqliteHasWALResetDefect
    environment.sqliteCompileOptions = DriverBuild.sqliteCompileOptions
    environment.swiftVersion = compilerVersion
    environment.buildMode = ownBuildMode
    environment.commit = checkout?.commit
    environment.hasUncommittedChanges = checkout?.hasUncommittedChanges ?? false
    environment.allocator = ownAllocator
    environment.loadAverage = ProcFile.read("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    return environment
  }

  /// The value of YAPBENCH_MACHINE, or else the host's name. In a container, the host's name is not the machine's.
  private static var machineName: String {
    let given = ProcessInfo.processInfo.environment["YAPBENCH_MACHINE"] ?? ""
    guard given.isEmpty else { return given }
    return ProcFile.read("/proc/sys/kernel/hostname").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func processor() -> String {
    let line = ProcFile.read("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
  }

  private static func kernel() -> String {
    let version = ProcFile.read("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines)
    return version.isEmpty ? "unknown" : "Linux \(version)"
  }

  /// The version of the compiler that built this program.
  private static var compilerVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var ownBuildMode: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var ownAllocator: String {
    #if Jemalloc
      "jemalloc"
    #else
      "the C library's"
    #endif
  }
}

/// Finds the file system of a folder.
package enum MountTable {
  /// Returns the type of the mount that contains the path, such as "ext4"; "unknown" if the kernel does not report it.
  package static func fileSystem(of path: String) -> String {
    fileSystem(of: path, in: ProcFile.read("/proc/self/mounts"))
  }

  static func fileSystem(of path: String, in table: String) -> String {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var longest = -1
    var type = "unknown"
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let mount = fields[1].replacing("\\040", with: " ")
      let isAbove = mount == "/" || path == mount || path.hasPrefix(mount + "/")
      // A later mount on the same point hides the earlier one.
      if isAbove, mount.count >= longest {
        longest = mount.count
        type = String(fields[2])
      }
    }
    return type
  }

  /// File systems that keep files in memory, so their syncs cost nothing.
  static let memoryFileSystems: Set<String> = ["tmpfs", "ramfs"]
}

/// The state of the sources that this program was built from: as its release archive states, or else that of the
/// checkout that contains its file.
struct Checkout {
  let commit: String
  let hasUncommittedChanges: Bool

  private init(commit: String, hasUncommittedChanges: Bool) {
    self.commit = commit
    self.hasUncommittedChanges = hasUncommittedChanges
  }

  /// nil if the program is in neither of both, or if git is missing. Determined once, because git takes longer than the
  /// rest of a run's start.
  static let ofThisProgram: Checkout? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
    if let archive = ReleaseArchive.containing(program) {
      return Checkout(commit: archive.commit, hasUncommittedChanges: archive.hasUncommittedChanges)
    }
    let folder = (program as NSString).deletingLastPathComponent
    return gitStatus(of: folder).flatMap { Checkout(gitStatus: $0) }
  }()

  /// Reads the output of `gitStatus`: headers, which begin with "# ", and a line for each changed file.
  /// Returns nil without a commit.
  init?(gitStatus text: String) {
    let mark = "# branch.oid "
    let lines = text.split(separator: "\n")
    guard let commit = lines.first(where: { $0.hasPrefix(mark) })?.dropFirst(mark.count), commit != "(initial)" else {
      return nil
    }
    self.init(commit: String(commit), hasUncommittedChanges: lines.contains { !$0.hasPrefix("# ") })
  }

  /// Returns the commit and the changed files of the checkout that contains the folder; nil without it or without git.
  private static func gitStatus(of folder: String) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let options = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=no"]
    process.arguments = ["git", "-C", folder, "status"] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // `waitUntilExit` returns up to 50 ms after the end of the process.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }
}
