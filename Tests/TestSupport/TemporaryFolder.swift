import Foundation

/// A folder for one test, which is removed when the instance is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter prefersMemory: Whether to create the folder in `/dev/shm` if it exists, for tests with many syncs.
  package init(prefersMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isInMemory = prefersMemory && FileManager.default.isWritableFile(atPath: memory)
    path = (isInMemory ? memory + "/" : NSTemporaryDirectory()) + "yapbench-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The sorted names of the files and folders in `folder`, including hidden ones.
  package func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
  }

  /// Writes a file, and creates the folders that its name contains.
  /// - Returns: The path of the file.
  @discardableResult
  package func write(_ text: String, to name: String, isExecutable: Bool = false) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file, options: .atomic)
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path) }
    return file.path
  }
}

/// Runs `body` with the path of a folder, which is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) { try body(folder.path) }
}
