/// Where the time of an actor's commits went in one phase: sums over all of them, in nanoseconds.
///
/// Sums, because means add up and percentiles do not.
public struct CommitTimesResult: Codable, Sendable, Equatable {
  public var phase: String
  public var actor: String
  /// Commits that were timed.
  public var count: Int
  /// From their start to their end, as the actor has seen it.
  public var service: UInt64
  public var times: CommitTimes

  /// Outside of the engine's call: the harness itself, a connection that is opened for one transaction, and messages
  /// to an engine in a process of its own.
  public var around: UInt64 { service - min(times.total, service) }

  public init(phase: String, actor: String, count: Int, service: UInt64, times: CommitTimes) {
    self.phase = phase
    self.actor = actor
    self.count = count
    self.service = service
    self.times = times
  }
}

/// The times stand beside the rest, and not in an object of their own.
extension CommitTimesResult {
  private enum Key: String, CodingKey {
    case phase, actor, count, service
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      phase: try container.decode(String.self, forKey: .phase),
      actor: try container.decode(String.self, forKey: .actor),
      count: try container.decode(Int.self, forKey: .count),
      service: try container.decode(UInt64.self, forKey: .service),
      times: try CommitTimes(from: decoder)
    )
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(phase, forKey: .phase)
    try container.encode(actor, forKey: .actor)
    try container.encode(count, forKey: .count)
    try container.encode(service, forKey: .service)
    try times.encode(to: encoder)
  }
}
