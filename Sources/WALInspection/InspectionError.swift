internal import SystemFiles

/// The reason why a database cannot be inspected.
public struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// There is no such file.
    case missing
    /// The file is not a regular file, or cannot be read.
    case unreadable
    /// The file is not an SQLite database in WAL mode.
    case notDatabase
  }

  public var path: String
  public var kind: Kind
  public var problem: String
  public var remedy: String

  init(_ path: String, _ kind: Kind, _ problem: String, remedy: String) {
    self.path = path
    self.kind = kind
    self.problem = problem
    self.remedy = remedy
  }

  init(_ problem: FileProblem) {
    let remedy =
      switch problem.reason {
      case .notRegular: "Name a database file, and check what stands beside it as its -wal and -shm."
      case .missing, .system: "Check its permissions and its disk."
      }
    self.init(problem.path, .unreadable, problem.explanation, remedy: remedy)
  }

  public var description: String { "\(path): \(problem). \(remedy)" }
}
