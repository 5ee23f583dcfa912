/// How often the engine refused a transaction that one operation began inside of another one.
public struct DeadlockResult: Codable, Sendable, Equatable {
  public var phase: String
  public var actor: String
  /// Such as "nestedRead(ui)".
  public var operation: String
  /// As nested, or because threads would have waited for each other.
  public var count: Int

  public init(phase: String, actor: String, operation: String, count: Int) {
    self.phase = phase
    self.actor = actor
    self.operation = operation
    self.count = count
  }
}
