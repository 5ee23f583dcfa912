internal import HarnessPrimitives

/// Digests of files, computed by `sha256sum`: the package has no other need for cryptography.
enum FileDigest {
  /// Returns 64 hexadecimal digits.
  /// - Throws: `ComparisonError` if the file cannot be read; `ProgramNotStarted` without `sha256sum`.
  static func sha256(of path: String) throws -> String {
    // The output begins with a backslash if the name of the file has one.
    let end = try ChildProcess.run("sha256sum", ["--", path])
    let digest = end.output.drop { $0 == "\\" }.prefix { !$0.isWhitespace }
    guard end.exitCode == 0, digest.count == 64 else {
      throw ComparisonError(.failure, "sha256sum \(path): \(end.lastLines)")
    }
    return String(digest)
  }
}
