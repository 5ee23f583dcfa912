package import Foundation
internal import Glibc
internal import HarnessPrimitives
internal import LatencyMetrics
internal import Synchronization

/// The log of a scenario's latencies while its runs last, under a temporary name in the folder of the reports. The
/// run's folder takes the file over as `latency.hlog`.
package final class LatencyLogFile: Sendable {
  /// The name of the file in the run's folder.
  package static let name = "latency.hlog"

  private let descriptor: Int32
  private let path: String
  private let folder: String
  /// The error number of the first write that failed; 0 if none has.
  private let failureCode = Atomic<Int32>(0)

  /// Creates the file and writes its header.
  /// - Parameters:
  ///   - folder: The folder of the reports, which must exist.
  ///   - date: The base of the log's times.
  /// - Throws: `ReportError`.
  package convenience init(in folder: String, startedAt date: Date = Date()) throws {
    let path = "\(folder)/.partial-latency-\(UUID().uuidString)"
    var descriptor: Int32 = -1
    try UnfinishedOutput.begin(path) { descriptor = try OutputFile.create(path) }
    self.init(descriptor: descriptor, path: path, folder: folder)
    let milliseconds = UInt64(saturating: max(0, (date.timeIntervalSince1970 * 1_000).rounded()))
    write(HistogramLog.header(startedAt: milliseconds, date: Self.text(of: date)))
  }

  /// - Parameter descriptor: An open file, which `deinit` closes.
  init(descriptor: Int32, path: String, folder: String) {
    self.descriptor = descriptor
    self.path = path
    self.folder = folder
  }

  deinit { close(descriptor) }

  /// Appends whole lines. Calls must not overlap. After the first failure, calls have no effect.
  package func write(_ lines: String) {
    guard failureCode.load(ordering: .relaxed) == 0 else { return }
    var lines = lines
    let code = lines.withUTF8 { OutputFile.append(UnsafeRawBufferPointer($0), to: descriptor) }
    if code != 0 { failureCode.store(code, ordering: .relaxed) }
  }

  /// The reason why the log is incomplete; nil if no write has failed.
  package var failure: ReportError? {
    let code = failureCode.load(ordering: .relaxed)
    return code == 0 ? nil : ReportError(folder, "the log of latencies could not be written", code: code)
  }

  /// Gives the file its final name; throws if a write has failed. No write may follow.
  func move(to target: String) throws {
    if let failure { throw failure }
    guard rename(path, target) == 0 else { throw ReportError(target, "could not be created", code: errno) }
  }

  /// Removes the file, unless `move` has given it its final name.
  package func discard() { UnfinishedOutput.discard(path) }

  /// Returns a date in UTC as HdrHistogram's tools for Java write it: `Tue Feb 03 04:05:06 UTC 2026`.
  static func text(of date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE MMM dd HH:mm:ss 'UTC' yyyy"
    return formatter.string(from: date)
  }
}
