internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// A private view of the file systems, in which a process may mount file systems that no other process sees.
package enum MountNamespace {
  /// The arguments of util-linux's `unshare` that create a namespace here: as root, or as the root of a new user
  /// namespace; nil if neither permits mounts.
  static let unshareArguments: [String]? = [["-m"], ofUserNamespace].first { arguments in
    MountNamespace.succeeds(["unshare"] + arguments + ["mount", "-t", "tmpfs", "-o", "size=4096", "tmpfs", "/tmp"])
  }

  private static let ofUserNamespace = ["-r", "-m"]

  /// Whether the modes of files can bind the processes of `CaseProgram.inMountNamespace`: they are not root's, or may
  /// become another user's. The root of a user namespace may not, because no other user exists there.
  static let obeysFileModes =
    unshareArguments != ofUserNamespace && (geteuid() != 0 || succeeds(["setpriv", "--reuid", "65534", "true"]))

  /// Runs a program with its arguments.
  /// - Returns: false if it cannot be run, or fails.
  private static func succeeds(_ words: [String]) -> Bool {
    (try? ChildProcess.run(words[0], Array(words.dropFirst())).exitCode) == 0
  }

  package static var isAvailable: Bool { unshareArguments != nil }

  /// `ST_RELATIME` of sys/statvfs.h, which Swift does not import.
  private static let relativeTimes = 4_096

  /// Mounts a folder over itself, read-only. The process must have a namespace of its own.
  /// - Throws: `POSIXError`; the folder is then as it was before.
  static func makeReadOnly(_ folder: String) throws {
    var status = statvfs()
    try SystemCall.check(statvfs(folder, &status))
    // In a user namespace, a mount must keep the mounts below it and its flags.
    try SystemCall.check(mount(folder, folder, "", UInt(MS_BIND | MS_REC), nil))
    let kept = Int(status.f_flag) & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME)
    let relative = Int(status.f_flag) & relativeTimes != 0 ? MS_RELATIME : 0
    do {
      try SystemCall.check(mount("", folder, "", UInt(MS_BIND | MS_REMOUNT | MS_RDONLY | kept | relative), nil))
    } catch {
      umount2(folder, Int32(MNT_DETACH))
      throw error
    }
  }
}

extension CaseProgram {
  /// The same program in a mount namespace of its own, if that is permitted.
  package var inMountNamespace: CaseProgram {
    guard let arguments = MountNamespace.unshareArguments else { return self }
    // In the process of `unshare`, a link to the running program would be one to `unshare`.
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? path
    var inNamespace = CaseProgram(path: "unshare", arguments: arguments + [program] + self.arguments)
    inNamespace.hasOwnMounts = true
    return inNamespace
  }
}
