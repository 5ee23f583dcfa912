internal import Glibc

/// Why a database cannot be inspected.
public struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  public var path: String
  public var problem: String
  public var remedy: String
  /// Whether there is no such file.
  public var isMissing: Bool

  init(_ path: String, _ problem: String, remedy: String, isMissing: Bool = false) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
    self.isMissing = isMissing
  }

  init(_ path: String, cannot what: String, _ code: Int32) {
    self.init(path, "cannot \(what): \(String(cString: strerror(code)))", remedy: "Check its permissions.")
  }

  public var description: String { "\(path): \(problem). \(remedy)" }
}
