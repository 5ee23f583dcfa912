public import BenchResults
internal import Foundation
internal import SystemFiles

/// The file of calibrations: a line of JSON for each comparison of a build with itself, of any machine.
public struct CalibrationFile: Sendable {
  public let path: String

  /// - Parameter path: nil selects `yapbench/calibration.jsonl` in `$XDG_STATE_HOME`, by default `~/.local/state`.
  public init(_ path: String? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self.path = path ?? (home ?? NSHomeDirectory() + "/.local/state") + "/yapbench/calibration.jsonl"
  }

  /// Returns the records; none if there is no file.
  /// - Throws: `ComparisonError` if the file cannot be read.
  public func records() throws -> [CalibrationRecord] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let contents: Data
    do { contents = Data(try RegularFile(path: path).contents(upTo: .max)) } catch {
      throw ComparisonError(.missing, "\(error); move it away, or name another file with --calibration")
    }
    // Another process may be appending a line, so an incomplete line at the end is left out.
    let end = contents.lastIndex(of: UInt8(ascii: "\n")) ?? 0
    return try contents[..<end].split(separator: UInt8(ascii: "\n")).enumerated().map { index, line in
      do { return try JSONDecoder().decode(CalibrationRecord.self, from: line) } catch {
        throw ComparisonError(
          .missing,
          "\(path):\(index + 1): expected a calibration; move the file away, or name another one with --calibration"
        )
      }
    }
  }

  /// Appends a record, unless the file has it: a finished calibration that is started again makes no new runs, so it
  /// has the same record. Waits while another process appends a record.
  public func append(_ record: CalibrationRecord) throws {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      if !folder.isEmpty { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    } catch {
      throw ComparisonError(.output, "\(folder): the folder cannot be created (\(error.localizedDescription))")
    }
    let lock = try FileLock(at: path + ".lock")
    try withExtendedLifetime(lock) {
      guard try !records().contains(record) else { return }
      try JournalFile(at: path).append(record)
    }
  }
}
