internal import Foundation

/// The outcome of copying a value for the policy copy.
enum ValueCopy {
  /// No part of the value has to be copied; the value itself may be shared.
  case unneeded
  case copy(Any)
  /// The value is, or contains, an instance that cannot be copied.
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
