internal import Foundation
internal import Glibc

extension SoakSample {
  /// Reads the state of this process from the kernel.
  /// - Throws: An error if `/proc/self` cannot be read.
  static func now() throws -> SoakSample {
    let memory = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    let pages = memory.count > 1 ? Int(memory[1]) ?? 0 : 0
    return SoakSample(
      residentBytes: pages * sysconf(Int32(_SC_PAGESIZE)),
      descriptors: try entries(of: "/proc/self/fd"),
      threads: try entries(of: "/proc/self/task")
    )
  }

  private static func entries(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
