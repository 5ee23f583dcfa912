internal import BenchDrivers
package import BenchResults
internal import Foundation
internal import HarnessPrimitives

extension RunEnvironment {
  /// Describes this machine and this program.
  /// - Parameter dataFolder: the folder of the database.
  package static func probe(dataFolder: String) -> RunEnvironment {
    let source = ProgramSource.ofThisProgram
    var environment = RunEnvironment()
    environment.machine = machineName
    environment.cpu = processor()
    environment.coreCount = ProcessInfo.processInfo.activeProcessorCount
    environment.processorLimits = .current(coreCount: environment.coreCount)
    environment.memoryBytes = Int(ProcessInfo.processInfo.physicalMemory)
    environment.kernel = kernel()
    environment.fileSystem = MountTable.fileSystem(of: dataFolder)
    environment.sqliteVersion = DriverBuild.sqliteVersion
    environment.sqliteHasWALResetDefect = DriverBuild.sqliteHasWALResetDefect
    environment.sqliteCompileOptions = DriverBuild.sqliteCompileOptions
    environment.swiftVersion = compilerVersion
    environment.buildMode = ownBuildMode
    environment.commit = source.commit
    environment.commitProblem = source.reason
    environment.hasUncommittedChanges = source.hasUncommittedChanges
    environment.allocator = ProcessFigures.allocatedBytes() == nil ? "the C library's" : "jemalloc"
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
}

/// Finds the file system of a folder.
package enum MountTable {
  /// Returns the type of the mount that contains the path, such as "ext4"; "unknown" if the kernel does not report it.
  package static func fileSystem(of path: String, in table: String = ProcFile.read("/proc/self/mounts")) -> String {
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
