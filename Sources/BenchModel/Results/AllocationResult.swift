/// How often the threads of an actor allocated memory in a phase.
public struct AllocationResult: Codable, Sendable, Equatable {
  public var phase: String
  public var actor: String
  /// Allocations of its threads: what the engine does for it there, and the harness's own for each operation.
  public var count: Int
  /// Operations that ended.
  public var operations: Int

  public init(phase: String, actor: String, count: Int, operations: Int) {
    self.phase = phase
    self.actor = actor
    self.count = count
    self.operations = operations
  }

  /// nil where no operation ended.
  public var perOperation: Double? { operations > 0 ? Double(count) / Double(operations) : nil }
}
