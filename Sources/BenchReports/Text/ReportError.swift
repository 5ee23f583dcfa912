/// The reason why output could not be written, and a remedy.
public struct ReportError: Error, Sendable, Equatable, CustomStringConvertible {
  public var path: String
  /// A sentence without its full stop.
  public var problem: String
  /// A sentence that says how to solve the problem.
  public var remedy: String

  public init(_ path: String, _ problem: String, remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { "\(path): error: \(problem). \(remedy)" }
}
