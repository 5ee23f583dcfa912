internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Foundation
internal import Glibc
internal import SystemFiles

/// The files of nightly runs: `builds`, the history, and a folder for each night.
struct NightFolder {
  /// A build that is kept for later nights.
  enum KeptBuild: String {
    case pinned, last
  }

  /// Holds all nights.
  let home: String
  /// Holds this one.
  let path: String

  /// - Parameter name: of the night; the day, if nil. A day whose night is complete gets further ones.
  init(home: String, name: String?, day: String) {
    self.home = home
    if let name {
      path = "\(home)/\(name)"
      return
    }
    var candidate = "\(home)/\(day)"
    var number = 2
    while let summary = try? Self.summary(in: candidate), summary.isComplete {
      candidate = "\(home)/\(day)-\(number)"
      number += 1
    }
    path = candidate
  }

  var history: String { "\(home)/history.sqlite" }

  /// Reserves the folder for this process.
  func lock() throws -> FileLock {
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw ComparisonError(.output, "\(path): the folder cannot be created (\(error.localizedDescription))")
    }
    guard let lock = try FileLock(ifFree: "\(home)/.lock") else {
      throw ComparisonError(
        .output,
        "\(home): another nightly run uses it; wait for it to end, or use another --folder"
      )
    }
    return lock
  }

  // MARK: The summary

  /// Returns the summary of the night; nil if it has not begun.
  func summary() throws -> NightSummary? { try Self.summary(in: path) }

  private static func summary(in folder: String) throws -> NightSummary? {
    let path = "\(folder)/night.json"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do { return try NightSummary.decode(Data(contentsOf: URL(fileURLWithPath: path))) } catch {
      throw ComparisonError(.missing, "\(path): it is no summary of a night (\(error)); move the folder away")
    }
  }

  func write(_ summary: NightSummary) throws {
    try NightReportFolder.write(summary, in: path)
  }

  /// Returns the result of a comparison of this night; nil if it was not completed.
  func outcome(of part: NightSummary.Part) -> ComparisonOutcome? {
    let path = "\(path)/\(part.rawValue)/compare.json"
    return (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap { try? ComparisonDocument.decode($0) }
  }

  // MARK: Builds

  func executable(of build: KeptBuild) -> String { "\(home)/builds/\(build.rawValue)/yapbench" }

  func has(_ build: KeptBuild) -> Bool { FileManager.default.isExecutableFile(atPath: executable(of: build)) }

  /// Returns the commit of a kept build; nil if it was not built in a checkout.
  func commit(of build: KeptBuild) -> String? {
    (try? String(contentsOfFile: "\(home)/builds/\(build.rawValue)/commit", encoding: .utf8))
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Keeps an executable in the place of an earlier one.
  ///
  /// A kill leaves either the earlier build or the new one. Its commit may then be missing.
  func keep(_ executable: String, commit: String?, as build: KeptBuild) throws {
    let files = FileManager.default
    let kept = self.executable(of: build)
    let folder = "\(home)/builds/\(build.rawValue)"
    do {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let partial = "\(folder)/.partial-yapbench"
      try? files.removeItem(atPath: partial)
      try files.copyItem(atPath: executable, toPath: partial)
      // The commit of the earlier build must not be taken for that of the new one.
      try? files.removeItem(atPath: "\(folder)/commit")
      guard rename(partial, kept) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      try Data((commit ?? "").utf8).write(to: URL(fileURLWithPath: "\(folder)/commit"), options: .atomic)
    } catch {
      throw ComparisonError(.output, "\(folder): the build could not be kept (\(error.localizedDescription))")
    }
  }
}
