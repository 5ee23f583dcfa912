internal import BenchReports
internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The record of a run, `run.json`, as a user names it.
struct RunRecord {
  /// The size of the largest accepted record. This program makes no larger one.
  static let maximumBytes = 1 << 31

  /// The path of the record.
  let path: String

  /// - Parameters:
  ///   - run: The folder of a run, or its record.
  ///   - name: The name of the record in a folder.
  init(_ run: String, name: String = "run.json") {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: run, isDirectory: &isFolder)
    path = exists && isFolder.boolValue ? "\(run)/\(name)" : run
  }

  /// The folder that contains the record.
  var folder: String { PathParts(path).folder }

  func read() throws(Failure) -> ScenarioResult {
    do {
      let bytes = try RegularFile(path: path).contents(upTo: Self.maximumBytes + 1)
      guard bytes.count <= Self.maximumBytes else {
        throw Failure("the file is larger than 2 GiB; expected the record of a run", .invalidScenario)
      }
      return try RunDocument.decode(Data(bytes))
    } catch let problem as FileProblem {
      throw Failure("\(path): \(problem.explanation); name a run's folder, or its run.json", .missingInput)
    } catch {
      throw unusable(because: error)
    }
  }

  func unusable(because error: any Error) -> Failure { Failure("\(path): \(Failure(error).text)", .invalidScenario) }
}
