/// A changed value that a commit carries from its writer to the caches of other connections.
///
/// Values of arbitrary types cross threads only in this type.
// The value is never mutated: under copy no other code has the instance, and under share the client must not mutate
// stored values. `databaseCopy` may run on several threads at once, but only reads the value.
struct CarriedValue: @unchecked Sendable {
  /// The writer's policy: share or copy.
  private let policy: YapDatabasePolicy
  /// nil for a row without metadata.
  private let value: Any?
  /// Approximate memory in bytes: the encoded size plus 64.
  let estimatedBytes: Int

  /// Returns nil if other connections have to read the value themselves.
  init?(_ value: Any?, _ policy: YapDatabasePolicy, encodedBytes: Int, _ counters: ValueCounters) {
    switch policy {
    case .containment: return nil
    case .share: self.value = value
    case .copy:
      guard let copy = Self.copy(of: value, counters) else { return nil }
      self.value = copy
    }
    self.policy = policy
    estimatedBytes = encodedBytes + 64
  }

  /// Returns the value for a reader's cache; nil to drop the cached value.
  func received(under other: YapDatabasePolicy, _ counters: ValueCounters) -> Any?? {
    switch policy.stricter(other) {
    case .containment: nil
    case .share: .some(value)
    case .copy: Self.copy(of: value, counters)
    }
  }

  /// Returns nil if the value cannot be copied.
  private static func copy(of value: Any?, _ counters: ValueCounters) -> Any?? {
    guard let value else { return .some(nil) }
    switch ValueCopy(of: value) {
    case .unneeded: return .some(value)
    case .impossible: return .none
    case .copy(let copy):
      counters.copied.add(1)
      return .some(copy)
    }
  }
}
