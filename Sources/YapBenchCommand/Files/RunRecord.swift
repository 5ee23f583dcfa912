internal import BenchModel
internal import BenchReports
internal import Foundation
internal import SystemFiles

/// The record of a run, `run.json`, as a user names it.
struct RunRecord {
  /// Larger than the record of any run that this program makes.
  private static let largestBytes = 1 << 31

  /// The path of `run.json`.
  let path: String

  /// - Parameter run: the folder of a run, or its `run.json`.
  init(_ run: String) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: run, isDirectory: &isFolder)
    path = exists && isFolder.boolValue ? "\(run)/run.json" : run
  }

  /// The folder that the record is in.
  var folder: String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Reads the record, and passes it on.
  ///
  /// - Returns: the exit code: that of `body`, or the one of the error that was reported.
  func read(in context: CommandContext, _ body: (ScenarioResult) throws -> Int32) -> Int32 {
    do {
      let bytes = try RegularFile(path: path).contents(upTo: Self.largestBytes + 1)
      guard bytes.count <= Self.largestBytes else {
        context.errors.error("\(path): the file is larger than 2 GiB; expected the record of a run")
        return ExitStatus.invalidScenario.rawValue
      }
      return try body(RunDocument.decode(Data(bytes)))
    } catch let problem as FileProblem {
      context.errors.error("\(path): \(problem.explanation); name a run's folder, or its run.json")
      return ExitStatus.missingInput.rawValue
    } catch {
      context.errors.error("\(path): \(Failure(error).text)")
      return ExitStatus.invalidScenario.rawValue
    }
  }
}
