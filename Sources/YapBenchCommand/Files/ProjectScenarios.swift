internal import BenchComparison
internal import Foundation

/// The scenarios of the project, for commands that run some if no others are named.
enum ProjectScenarios {
  /// Returns a folder of scenarios, such as `compare`: below the working folder, or in the checkout that this program
  /// was built in.
  static func folder(_ name: String) throws -> String {
    let path = "Scenarios/\(name)"
    var candidates = [path]
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      var folder = (program as NSString).deletingLastPathComponent
      // .build/<triple>/release
      for _ in 0..<4 {
        candidates.append("\(folder)/\(path)")
        folder = (folder as NSString).deletingLastPathComponent
      }
    }
    guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      throw ComparisonError(
        .missing,
        "\(path): there is no such folder here; work in the project's folder, or name scenarios"
      )
    }
    return found
  }
}
