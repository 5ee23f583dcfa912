internal import Foundation

/// The memory that this process can still get without swapping or being killed.
public struct AvailableMemory: Sendable, Equatable {
  public var bytes: Int
  /// The limit that applies.
  public var source: Source

  public enum Source: Sendable, Equatable {
    case machine
    /// The limit of a control group, in bytes.
    case controlGroup(limitBytes: Int)
  }

  /// Returns the smallest of the kernel's `MemAvailable` and the room under each limit of the process's control groups.
  /// - Returns: nil if the kernel reports neither.
  public static func current() -> AvailableMemory? { current(reading: ProcFile.read) }

  /// - Parameter read: returns the text of a file, and an empty string for a missing one.
  static func current(reading read: (String) -> String) -> AvailableMemory? {
    let kibibytes = number(after: "MemAvailable:", in: read("/proc/meminfo"))
    let machine = kibibytes.map { AvailableMemory(bytes: $0 * 1_024, source: .machine) }
    let groups = controlGroups(read("/proc/self/cgroup")).compactMap { $0.available(reading: read) }
    return ([machine] + groups).compactMap { $0 }.min { $0.bytes < $1.bytes }
  }

  /// The files with the limit and the use of a control group.
  private struct ControlGroup {
    var folder: String
    var limitFile: String
    var useFile: String
    /// The key in `memory.stat` of the bytes of cached files that can be dropped immediately.
    var droppable: String

    func available(reading read: (String) -> String) -> AvailableMemory? {
      // "max", and in version 1 a number larger than any memory, mean no limit.
      guard let limit = whole(read("\(folder)/\(limitFile)")), limit < 1 << 60,
        let use = whole(read("\(folder)/\(useFile)"))
      else { return nil }
      let files = AvailableMemory.number(after: droppable, in: read("\(folder)/memory.stat")) ?? 0
      return AvailableMemory(bytes: max(limit - max(use - files, 0), 0), source: .controlGroup(limitBytes: limit))
    }

    private func whole(_ text: String) -> Int? { Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// The control groups of the process and all their parents, whose limits apply too.
  private static func controlGroups(_ text: String) -> [ControlGroup] {
    text.split(separator: "\n").flatMap { line -> [ControlGroup] in
      // hierarchy:controllers:path; version 2 has hierarchy 0 and no controllers.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let isSecondVersion = fields[0] == "0" && fields[1].isEmpty
      guard isSecondVersion || fields[1].split(separator: ",").contains("memory") else { return [] }
      let names = fields[2].split(separator: "/")
      return (0...names.count).map { depth in
        let path = names.prefix(depth).map { "/" + $0 }.joined()
        return isSecondVersion
          ? ControlGroup(
            folder: "/sys/fs/cgroup" + path,
            limitFile: "memory.max",
            useFile: "memory.current",
            droppable: "inactive_file"
          )
          : ControlGroup(
            folder: "/sys/fs/cgroup/memory" + path,
            limitFile: "memory.limit_in_bytes",
            useFile: "memory.usage_in_bytes",
            droppable: "total_inactive_file"
          )
      }
    }
  }

  /// The whole number after a name at the beginning of a line.
  private static func number(after name: String, in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.split(separator: " ").first == name[...] }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }
}
