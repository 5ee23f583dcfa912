internal import BenchModel
internal import Foundation

/// Draws every picture of a report.
struct ReportPictures {
  /// In the runs' order.
  private(set) var ofRuns: [PictureOutcome] = []
  /// That of the variants side by side; of several runs only.
  private(set) var ofVariants = PictureOutcome.missing(reason: "there is one run")

  /// - Parameters:
  ///   - folder: takes the pictures.
  ///   - plotter: nil where there is none.
  init(of result: ScenarioResult, in folder: String, plotter: Gnuplot?) throws {
    guard !result.isSingle else {
      ofRuns = [try Self.draw(RunPicture(result.first), RunPicture.fileName, in: folder, plotter)]
      return
    }
    let runs = "\(folder)/\(RunDirectory.runFolder)"
    try attempt("could not be created", at: runs) {
      try FileManager.default.createDirectory(atPath: runs, withIntermediateDirectories: false)
    }
    for run in result.runs {
      let name = RunDirectory.stem(of: run, in: result) + ".svg"
      ofRuns.append(try Self.draw(RunPicture(run), name, in: runs, plotter))
    }
    let picture = VariantPicture(VariantComparison(result), title: result.first.scenario)
    ofVariants = try Self.draw(picture, VariantPicture.fileName, in: folder, plotter)
  }

  private static func draw<Picture: PlottedPicture>(
    _ picture: Picture?,
    _ name: String,
    in folder: String,
    _ plotter: Gnuplot?
  ) throws -> PictureOutcome {
    guard let picture else { return .missing(reason: "the run has neither a WAL nor latencies") }
    guard let plotter else { return .missing(reason: "gnuplot is not installed") }
    let outcome: PictureOutcome
    do { outcome = try plotter.draw(picture, in: folder, as: name) } catch {
      return .missing(reason: "its data could not be written (\(error.localizedDescription))")
    }
    if outcome == .drawn { try DurableFile.synchronize("\(folder)/\(name)") }
    return outcome
  }
}
