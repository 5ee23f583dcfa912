/// The reason why output could not be written, and a remedy.
package struct ReportError: Error, Sendable, Equatable, CustomStringConvertible {
  package var path: String
  /// A sentence without its full stop.
  package var problem: String
  /// A sentence that says how to solve the problem.
  package var remedy: String

  package init(_ path: String, _ problem: String, remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  package var description: String { "\(path): error: \(problem). \(remedy)" }
}
