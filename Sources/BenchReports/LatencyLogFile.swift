internal import Foundation
internal import Glibc
internal import LatencyMetrics
internal import NumericConversion
internal import Synchronization

/// `latency.hlog` while its run lasts: a file without a name, so that nothing is left of it if the run has no report.
public final class LatencyLogFile: Sendable {
  private let descriptor: Int32
  private let folder: String
  /// The first error number that a write gave; 0 for none.
  private let refusal = Atomic<Int32>(0)

  /// Makes it and writes its header; the log's times count from now.
  /// - Parameter folder: is on the disk that takes it, and is there.
  /// - Throws: `ReportError`.
  public convenience init(in folder: String) throws {
    let path = "\(folder)/.partial-latency-\(UUID().uuidString)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw ReportError(path, "the log of latencies could not be created", code: errno) }
    unlink(path)
    self.init(descriptor: descriptor, folder: folder)
    let now = Date()
    let milliseconds = UInt64(saturating: max(0, now.timeIntervalSince1970 * 1_000))
    write(HistogramLog.header(startedAt: milliseconds, date: Self.text(of: now)))
  }

  /// - Parameter descriptor: an open one, which it closes in the end.
  init(descriptor: Int32, folder: String) {
    self.descriptor = descriptor
    self.folder = folder
  }

  deinit { close(descriptor) }

  /// Takes whole lines, one call at a time. After the first failure nothing more is written.
  public func write(_ lines: String) {
    guard refusal.load(ordering: .relaxed) == 0 else { return }
    var lines = lines
    let code = lines.withUTF8 { DurableFile.append(UnsafeRawBufferPointer($0), to: descriptor) }
    if code != 0 { refusal.store(code, ordering: .relaxed) }
  }

  /// Why it is not whole; nil as long as it is.
  public var failure: ReportError? {
    let code = refusal.load(ordering: .relaxed)
    return code == 0 ? nil : ReportError(folder, "the log of latencies could not be written", code: code)
  }

  /// Gives what was written a name, on the disk when the call returns. Nothing must be written meanwhile.
  func copy(to path: String) throws {
    if let failure { throw failure }
    let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard target >= 0 else { throw ReportError(path, "could not be created", code: errno) }
    defer { close(target) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ReportError(folder, "the log of latencies could not be read", code: errno) }
      if count == 0 { break }
      let code = chunk.withUnsafeBytes { bytes in
        DurableFile.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: target)
      }
      guard code == 0 else { throw ReportError(path, "could not be written", code: code) }
      offset += count
    }
    try DurableFile.synchronize(path)
  }

  /// As Java writes it, whose tools made the format: `Tue Feb 03 04:05:06 UTC 2026`.
  static func text(of date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE MMM dd HH:mm:ss 'UTC' yyyy"
    return formatter.string(from: date)
  }
}
