/// An error of the engine, with the database that it concerns.
package struct DatabaseFailure: Error, CustomStringConvertible {
  package let path: String
  package let error: any Error

  package init(path: String, error: any Error) {
    self.path = path
    self.error = error
  }

  package var description: String { "\(path): \(error)" }
}

/// An error that prevents a run, a phase or an event.
package struct RunError: Error, CustomStringConvertible {
  package let problem: String
  /// Advice for the user; nil if there is none.
  package internal(set) var remedy: String?

  package var description: String { problem + (remedy.map { ": \($0)" } ?? "") }
}
