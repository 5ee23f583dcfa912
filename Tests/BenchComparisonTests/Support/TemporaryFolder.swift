import Foundation

/// A folder for one test, which is removed with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "yapbench-comparison-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// - Returns: the path of the file.
  @discardableResult func write(_ text: String, to name: String, isExecutable: Bool = false) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file) }
    return file
  }
}
