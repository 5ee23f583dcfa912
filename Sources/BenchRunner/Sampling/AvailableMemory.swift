internal import Foundation

/// The memory that this process can still get without swapping or being killed.
package struct AvailableMemory: Sendable, Equatable {
  package var bytes: Int
  /// The limit that applies.
  package var source: Source

  package enum Source: Sendable, Equatable {
    case machine
    /// The limit of a control group, in bytes.
    case controlGroup(limitBytes: Int)
  }

  /// Returns the smallest of the kernel's `MemAvailable` and the room under each limit of the process's control groups.
  /// - Returns: nil if the kernel reports neither.
  package static func current() -> AvailableMemory? { current(reading: ProcFile.read) }

  /// - Parameter read: returns the text of a file, and an empty string for a missing one.
  static func current(reading read: (String) -> String) -> AvailableMemory? {
    let kibibytes = number(after: "MemAvailable:", in: read("/proc/meminfo"))
    let machine = kibibytes.map { AvailableMemory(bytes: $0 * 1_024, source: .machine) }
    let groups = ControlGroup.all(of: "memory", reading: read).compactMap { available(in: $0, reading: read) }
    return ([machine] + groups).compactMap { $0 }.min { $0.bytes < $1.bytes }
  }

  /// The room under the limit of a group; nil without one.
  private static func available(in group: ControlGroup, reading read: (String) -> String) -> AvailableMemory? {
    func whole(_ file: String) -> Int? {
      Int(read("\(group.folder)/\(file)").trimmingCharacters(in: .whitespacesAndNewlines))
    }
    // "max", and in version 1 a number larger than any memory, mean no limit.
    guard let limit = whole(group.isSecondVersion ? "memory.max" : "memory.limit_in_bytes"), limit < 1 << 60,
      let use = whole(group.isSecondVersion ? "memory.current" : "memory.usage_in_bytes")
    else { return nil }
    // The bytes of cached files that can be dropped immediately.
    let droppable = group.isSecondVersion ? "inactive_file" : "total_inactive_file"
    let files = number(after: droppable, in: read("\(group.folder)/memory.stat")) ?? 0
    return AvailableMemory(bytes: max(limit - max(use - files, 0), 0), source: .controlGroup(limitBytes: limit))
  }

  /// The whole number after a name at the beginning of a line.
  private static func number(after name: String, in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.split(separator: " ").first == name[...] }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }
}
