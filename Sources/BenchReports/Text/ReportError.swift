/// Why a run directory could not be written, and what to do about it.
public struct ReportError: Error, Sendable, Equatable, CustomStringConvertible {
  public var path: String
  /// What happened, as a sentence without its full stop.
  public var problem: String
  /// What the reader can do about it.
  public var remedy: String

  public init(path: String, problem: String, remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { "\(path): error: \(problem). \(remedy)" }
}
