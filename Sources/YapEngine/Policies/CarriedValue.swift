internal import Foundation

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

  /// Fails under containment, and under copy if the value cannot be copied: other connections then read it themselves.
  init?(_ value: Any?, under policy: YapDatabasePolicy, encodedBytes: Int, counters: ValueCounters) {
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

  /// Returns the value for a reader's cache, where the inner nil means no metadata; nil to drop the cached value.
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

/// The outcome of copying a value for the policy copy.
enum ValueCopy {
  /// No part of the value has to be copied; the value itself may be shared.
  case unneeded
  case copy(Any)
  /// The value, or an element of the container, is an instance that cannot be copied.
  case impossible

  /// Copies a value that conforms to `DatabaseCopyable` or `NSCopying`, or a standard container element by element.
  ///
  /// Other structs and enumerations are shared as they are, because their properties cannot be replaced from outside.
  init(of value: Any) {
    let valueType: Any.Type = type(of: value)
    if DeclaredTypes.areImmutable(valueType) {
      self = .unneeded
    } else if let copyable = value as? any DatabaseCopyable {
      self = .copy(copyable.databaseCopy())
    } else if let copyable = value as? any NSCopying {
      self = .copy(copyable.copy(with: nil))
    } else if let container = value as? any StandardContainer {
      self = container.copied()
    } else {
      self = valueType is AnyClass ? .impossible : .unneeded
    }
  }

  /// - Parameter copy: Returns nil if nothing has to be copied.
  init<Value>(_ copy: () throws(ImpossibleCopy) -> Value?) {
    do {
      self = try copy().map { .copy($0) } ?? .unneeded
    } catch {
      self = .impossible
    }
  }

  /// Copies an element of a container.
  /// - Returns: nil if the element itself may be shared.
  /// - Throws: `ImpossibleCopy` if the element cannot be copied, or if the container cannot hold the copy's type.
  static func copied<Element>(_ element: Element) throws(ImpossibleCopy) -> Element? {
    switch ValueCopy(of: element) {
    case .unneeded: return nil
    case .impossible: throw ImpossibleCopy()
    case .copy(let copy):
      guard let copy = copy as? Element else { throw ImpossibleCopy() }
      return .some(copy)
    }
  }
}

struct ImpossibleCopy: Error {}
