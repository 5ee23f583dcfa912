internal import BenchComparison
internal import BenchModel
internal import Foundation

/// The executable of this process, and the commit of the checkout in which it was built.
struct ThisProgram {
  let path: String
  let sha256: String
  let commit: String?

  init() throws {
    path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arm = try ComparisonPreparation.thisProgram()
    sha256 = arm.sha256
    commit = arm.commit
  }
}
