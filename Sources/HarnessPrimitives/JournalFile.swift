public import FoundationEssentials
internal import Glibc

/// A file of JSON values, a line each, to which one process at a time appends.
///
/// A line is on the disk when `append` returns, unless the call omits the sync. If the process is killed while it
/// writes, the incomplete line is removed when the file is opened again.
public final class JournalFile {
  public let path: String
  /// The complete lines of the file when it was opened.
  public let initialLines: [Data]
  private let descriptor: Int32

  /// Opens and locks the file, or creates it.
  /// - Throws: `JournalProblem` if it cannot be used, or another process uses it.
  public init(at path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.unusable(path, "could not be opened", code: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw JournalProblem(description: "\(path): another process uses it; wait for it to end, or use another --out")
    }
    do { initialLines = try Self.wholeLines(path, descriptor) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { descriptor.unlockAndClose() }

  /// Appends a line. If the write fails, the file is truncated to its previous length. If only the sync fails, the line
  /// may remain.
  /// - Parameter syncs: whether the line is on the disk when the call returns.
  public func append(_ value: some Encodable, syncs: Bool = true) throws {
    let line = try StableJSON.line(value)
    let end = lseek(descriptor, 0, SEEK_END)
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    let code = written < 0 ? errno : ENOSPC
    guard written == line.count else {
      ftruncate(descriptor, end)
      throw Self.unusable(path, "could not be written", code: code)
    }
    if syncs { try sync() }
  }

  /// Returns when all lines are on the disk.
  public func sync() throws {
    // EINVAL: a file of this kind cannot be synced.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.unusable(path, "could not be written", code: errno)
    }
  }

  /// Returns the complete lines, and truncates the file after them.
  private static func wholeLines(_ path: String, _ descriptor: Int32) throws -> [Data] {
    let contents: Data
    do { contents = Data(try RegularFile(path: path).contents(upTo: .max)) } catch {
      throw JournalProblem(description: "\(error); move it away, or use another --out")
    }
    let end = contents.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if end < contents.count, ftruncate(descriptor, off_t(end)) != 0 {
      throw unusable(path, "could not be truncated to its last complete line", code: errno)
    }
    return contents[..<end].split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  private static func unusable(_ path: String, _ problem: String, code: Int32) -> JournalProblem {
    JournalProblem(description: "\(path): the file \(problem) (\(String(cString: strerror(code))))")
  }
}

/// The reason why a journal cannot be used, and the remedy.
public struct JournalProblem: Error, CustomStringConvertible {
  public let description: String
}
