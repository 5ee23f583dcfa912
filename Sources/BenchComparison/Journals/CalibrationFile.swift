package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The file of calibrations: a line of JSON for each comparison of a build with itself, of any machine.
package struct CalibrationFile: Sendable {
  package let path: String

  /// The part of an error message that states how to choose another file.
  private let remedy: String

  /// - Parameter path: nil selects `calibration.jsonl` in `UserFolder.state`.
  package init(_ path: String? = nil) {
    self.path = path ?? UserFolder.state.path + "/calibration.jsonl"
    let other = "name another file with --calibration"
    remedy = path == nil ? "\(UserFolder.state.remedy), or \(other)" : other
  }

  /// Checks before the runs of a calibration that its record can be appended afterwards. Creates the file's folder.
  /// - Throws: `ComparisonError`, also if the file has something else than calibrations.
  package func checkAppendable() throws {
    do {
      try WritableFolder.prepare(PathParts(path).folder)
      if FileManager.default.fileExists(atPath: path) { try WritableFile.check(path) }
    } catch {
      throw ComparisonError(.output, "\(path): the calibration could not be written (\(error)); \(remedy)")
    }
    _ = try records()
  }

  /// Returns the records; none if there is no file.
  /// - Throws: `ComparisonError` if the file cannot be read.
  package func records() throws -> [CalibrationRecord] {
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
  /// has the same record. Waits while another process appends a record. Creates the file's folder.
  package func append(_ record: CalibrationRecord) throws {
    try checkAppendable()
    let lock = try FileLock(at: path + ".lock")
    try withExtendedLifetime(lock) {
      guard try !records().contains(record) else { return }
      try JournalFile(at: path).append(record)
    }
  }
}
