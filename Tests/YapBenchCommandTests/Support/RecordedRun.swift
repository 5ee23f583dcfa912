import TestSupport
import Testing

@testable import YapBenchCommand

/// A made-up run of the stalled reader, recorded in a folder of its own.
struct RecordedRun {
  let folder: TemporaryFolder
  /// The folder of the run.
  let path: String

  init(of scenario: String = Project.stalledReader) throws {
    folder = try TemporaryFolder()
    var trial = Trial()
    trial.runner = MadeUpRunner().runner
    try #require(trial.run("run", "--out", folder.path + "/out", scenario) == 0)
    let name = try folder.names(in: "out").first { $0 != "index.html" }
    path = try folder.path + "/out/" + #require(name)
  }
}
