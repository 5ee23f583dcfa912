/// The outcome of a read of one row in its connection's caches.
public enum CacheOutcome: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
  /// The caches answered the read. Under `share` and `copy` that includes rows that another connection has changed.
  case hit
  /// The row was read from the file, and the cache did not remember that it had been cached before.
  case miss
  /// The row was read from the file, because its cached value was dropped when another connection changed the row.
  case reread

  /// Returns the name of an operation's reads with this outcome, such as `get.reread`.
  public func name(of operation: String) -> String { "\(operation).\(rawValue)" }
}
