/// A changed value on its way from its writer to the caches of other connections.
///
/// The one box in which a value of any type crosses from thread to thread.
// Nobody changes what is in it: under copy it holds an instance that nobody else has, and under share the client has
// promised not to mutate what it stores. `databaseCopy` may run on several threads at once, and reads only.
struct CarriedValue: @unchecked Sendable {
  /// The writer's: share or copy.
  private let policy: YapDatabasePolicy
  /// nil for a row without metadata.
  private let value: Any?
  /// About what it keeps in memory: its encoded size and 64 bytes.
  let estimatedBytes: Int

  /// - Returns: nil where others have to read the value themselves.
  init?(_ value: Any?, _ policy: YapDatabasePolicy, encodedBytes: Int, _ counters: ValueCounters, _ hooks: TestHooks) {
    switch policy {
    case .containment: return nil
    case .share: self.value = value
    case .copy:
      guard let copy = Self.copy(of: value, counters, hooks) else { return nil }
      self.value = copy
    }
    self.policy = policy
    estimatedBytes = encodedBytes + 64
  }

  /// What a reader puts into its cache; nil to drop what is there.
  func received(under other: YapDatabasePolicy, _ counters: ValueCounters, _ hooks: TestHooks) -> Any?? {
    switch policy.stricter(other) {
    case .containment: nil
    case .share: .some(value)
    case .copy: Self.copy(of: value, counters, hooks)
    }
  }

  /// - Returns: nil if the value cannot be copied.
  private static func copy(of value: Any?, _ counters: ValueCounters, _ hooks: TestHooks) -> Any?? {
    guard let value else { return .some(nil) }
    if hooks.has(.copyHandsOutTheOriginal) { return value }
    switch ValueCopy(of: value) {
    case .unneeded: return .some(value)
    case .impossible: return .none
    case .copy(let copy):
      counters.copied.add(1)
      return .some(copy)
    }
  }
}
