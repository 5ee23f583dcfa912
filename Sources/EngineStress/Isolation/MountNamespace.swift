internal import Foundation

/// A private view of the file systems, in which a process may mount file systems that no other process sees.
public enum MountNamespace {
  /// The arguments of util-linux's `unshare` that create a namespace here: as root, or as the root of a new user
  /// namespace; nil if neither is permitted.
  static let unshareArguments: [String]? = [["-m"], ["-r", "-m"]].first { arguments in
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare"] + arguments + ["true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  public static var isAvailable: Bool { unshareArguments != nil }
}

extension CaseProgram {
  /// The same program in a mount namespace of its own, if that is permitted.
  public var inMountNamespace: CaseProgram {
    guard let arguments = MountNamespace.unshareArguments else { return self }
    return CaseProgram(path: "unshare", arguments: arguments + [path] + self.arguments)
  }
}
