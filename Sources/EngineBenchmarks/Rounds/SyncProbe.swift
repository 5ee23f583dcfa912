internal import Glibc
internal import ThreadingPrimitives

/// Appends a page to a file and syncs it: the lowest cost of a commit with FULL, on this disk at this moment.
struct SyncProbe {
  /// A path in a folder on the measured disk.
  let path: String
  var appends = 20

  /// - Returns: The nanoseconds of each append with its sync.
  func measure() throws -> [UInt64] {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failed("opened") }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 0x5a, count: 4_096)
    return try (0..<appends).map { _ in
      let begun = MonotonicClock.now
      guard write(file, page, page.count) == page.count else { throw failed("written") }
      guard fdatasync(file) == 0 else { throw failed("synced") }
      return MonotonicClock.now - begun
    }
  }

  private func failed(_ what: String) -> BenchmarkError {
    BenchmarkError(.failed, "\(path) could not be \(what): \(String(cString: strerror(errno)))")
  }
}
