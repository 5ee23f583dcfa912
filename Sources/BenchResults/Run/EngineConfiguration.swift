/// The library of an engine and the settings with which its driver opened the database.
public struct EngineConfiguration: Codable, Sendable, Equatable {
  public struct Option: Codable, Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The library with its version, such as "SQLite 3.40.1".
  public var library: String
  public var options: [Option]

  public init(library: String, options: [Option] = []) {
    self.library = library
    self.options = options
  }
}
