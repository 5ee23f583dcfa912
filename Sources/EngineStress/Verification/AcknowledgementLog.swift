internal import Glibc
internal import HarnessPrimitives

/// The numbers of the commits that were acknowledged, outside of the database: a text file with one number per line.
///
/// Lines are appended after each acknowledgement, in any order. SQLite does not notice a missing end of the WAL; this
/// file shows the missing commits.
package struct AcknowledgementLog: Sendable, Equatable {
  /// The number of lines.
  package private(set) var count = 0
  /// The greatest number; 0 without lines.
  package private(set) var newest: UInt64 = 0
  /// The numbers that were acknowledged more than once, in ascending order. The first commit with such a number was
  /// lost, and a later one got its number.
  package private(set) var repeated: [UInt64] = []

  /// Reads a log. A last line without a newline is incomplete and is dropped.
  /// - Throws: `FileProblem` if the file cannot be read; `StoreProblem` if a line is not the number of a commit.
  package init(path: String) throws {
    let bytes = try RegularFile(path: path).contents(upTo: .max)
    var seen: Set<UInt64> = []
    var again: Set<UInt64> = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    for (index, line) in lines.enumerated() {
      guard let commit = UInt64(String(decoding: line, as: UTF8.self)), commit > 0 else {
        throw StoreProblem(
          .invalid,
          path: path,
          "line \(index + 1) is not the number of a commit",
          remedy: "Expected one number of an acknowledged commit per line."
        )
      }
      if !seen.insert(commit).inserted { again.insert(commit) }
    }
    count = lines.count
    newest = seen.max() ?? 0
    repeated = again.sorted()
  }
}

/// Appends to an acknowledgement log.
package final class AcknowledgementLogWriter: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Opens or creates the file.
  /// - Throws: `StoreProblem`.
  package init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StoreProblem.notWritten(path, errno) }
  }

  deinit { close(descriptor) }

  /// Appends a line for each commit. Any thread may call it. The lines survive the end of the process, and a power loss
  /// only if the file system has written them.
  /// - Throws: `StoreProblem`.
  package func append(_ commits: some Sequence<UInt64>) throws {
    let text = commits.map { "\($0)\n" }.joined()
    let written = text.utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, text.utf8.count) }
    guard written == text.utf8.count else { throw StoreProblem.notWritten(path, written < 0 ? errno : ENOSPC) }
  }
}

/// The reason why a database or its acknowledgement log cannot be examined.
package struct StoreProblem: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// The file or its lock file is missing, is not a regular file, or cannot be read.
    case missing
    /// The file is not a database of the engine, or not an acknowledgement log.
    case invalid
    /// A process has the database open, or has changed it during the check.
    case inUse
    /// A file could not be written.
    case system
  }

  package let kind: Kind
  package let path: String
  package let problem: String
  package let remedy: String

  init(_ kind: Kind, path: String, _ problem: String, remedy: String) {
    self.kind = kind
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  static func notWritten(_ path: String, _ code: Int32) -> StoreProblem {
    StoreProblem(
      .system,
      path: path,
      "the file could not be written (\(String(cString: strerror(code))))",
      remedy: "Check the free space of its disk."
    )
  }

  package var description: String { "\(path): \(problem). \(remedy)" }
}
