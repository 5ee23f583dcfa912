/// A control group of this process, or one above it.
struct ControlGroup: Equatable {
  /// The folder with the group's files.
  var folder: String
  /// Whether the group is in the unified hierarchy of version 2.
  var isSecondVersion: Bool

  /// Returns the groups with a controller, from the root to the process's own. A group of version 2 may lack the
  /// controller: its files are then missing.
  /// - Parameters:
  ///   - controller: such as `cpu` or `memory`.
  ///   - read: returns the text of a file, and an empty string for a missing one.
  static func all(of controller: String, reading read: (String) -> String = ProcFile.read) -> [ControlGroup] {
    let mounts = read("/proc/self/mountinfo").split(separator: "\n").compactMap { Mount($0) }
    return read("/proc/self/cgroup").split(separator: "\n").flatMap { line -> [ControlGroup] in
      // hierarchy:controllers:path; version 2 has hierarchy 0 and no controllers.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let isSecondVersion = fields[0] == "0" && fields[1].isEmpty
      guard isSecondVersion || fields[1].split(separator: ",").contains(controller[...]) else { return [] }
      let path = String(fields[2])
      let own = mounts.filter { mount in
        mount.isSecondVersion == isSecondVersion && (isSecondVersion || mount.options.contains(controller))
      }
      // A mount that was made outside of the process's namespace may show other groups only.
      let mount =
        own.first { $0.shows(path) } ?? own.first ?? Mount(isSecondVersion: isSecondVersion, controller: controller)
      return mount.folders(to: path).map { ControlGroup(folder: $0, isSecondVersion: isSecondVersion) }
    }
  }

  /// A mounted hierarchy.
  private struct Mount {
    var folder: String
    /// The group that is mounted at `folder`. In a container it may be the container's own.
    var root = "/"
    var isSecondVersion: Bool
    var options: Set<String> = []

    /// The usual place, for a process that cannot read its mounts.
    init(isSecondVersion: Bool, controller: String) {
      folder = "/sys/fs/cgroup" + (isSecondVersion ? "" : "/" + controller)
      self.isSecondVersion = isSecondVersion
    }

    /// - Parameter line: of mountinfo; nil is returned if it is no mount of control groups.
    init?(_ line: Substring) {
      // 36 35 98:0 ROOT FOLDER options optional-fields - TYPE source super-options
      guard let separator = line.firstRange(of: " - ") else { return nil }
      let own = line[..<separator.lowerBound].split(separator: " ")
      let type = line[separator.upperBound...].split(separator: " ")
      guard own.count > 4, type.count > 2, type[0] == "cgroup" || type[0] == "cgroup2" else { return nil }
      root = String(own[3]).replacing("\\040", with: " ")
      folder = String(own[4]).replacing("\\040", with: " ")
      isSecondVersion = type[0] == "cgroup2"
      options = Set(type[2].split(separator: ",").map(String.init))
    }

    /// Whether the mount shows a group.
    func shows(_ path: String) -> Bool { root == "/" || path == root || path.hasPrefix(root + "/") }

    /// The folders of a group and of all groups above it that the mount shows, the highest first.
    func folders(to path: String) -> [String] {
      let names = (root != "/" && shows(path) ? String(path.dropFirst(root.count)) : path).split(separator: "/")
      return (0...names.count).map { depth in folder + names.prefix(depth).map { "/" + $0 }.joined() }
    }
  }
}
