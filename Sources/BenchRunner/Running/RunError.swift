/// An error of the engine, with the database that it concerns.
public struct DatabaseFailure: Error, CustomStringConvertible {
  public let path: String
  public let error: any Error

  public init(path: String, error: any Error) {
    self.path = path
    self.error = error
  }

  public var description: String { "\(path): \(error)" }
}

/// An error that prevents a run, a phase or an event.
public struct RunError: Error, CustomStringConvertible {
  public let problem: String
  /// Advice for the user; nil if there is none.
  public internal(set) var remedy: String?

  public var description: String { problem + (remedy.map { ": \($0)" } ?? "") }
}
