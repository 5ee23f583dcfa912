internal import BenchComparison
internal import Foundation

/// The scenarios that a comparison runs if no others are named.
enum CompareSuite {
  private static let path = "Scenarios/compare"

  /// Returns their folder: below the working folder, or in the checkout that this program was built in.
  static func folder() throws -> String {
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
        "\(path): there is no such folder here; work in the project's folder, or name scenarios with --scenario"
      )
    }
    return found
  }
}
