internal import Foundation

/// Properties of types that follow from their declarations, and a comparison of values with their declared types.
enum DeclaredTypes {
  /// Returns whether values of the type are known to refer to nothing mutable: sharing is then equivalent to copying.
  /// Returns false for every unknown type, because any struct may hold an instance of a class.
  static func areImmutable(_ type: Any.Type) -> Bool {
    if immutable.contains(ObjectIdentifier(type)) { return true }
    guard let container = type as? any StandardContainer.Type else { return false }
    return container.elementTypes.allSatisfy(areImmutable)
  }

  /// Returns whether the type is a class, or a container whose declaration names a class at any depth.
  static func nameClasses(_ type: Any.Type) -> Bool {
    if type is AnyClass { return true }
    guard let container = type as? any StandardContainer.Type else { return false }
    return container.elementTypes.contains(where: nameClasses)
  }

  /// Returns the value, or an element at any depth, if its class is a subclass of the declared class; otherwise nil.
  static func subclassedInstance(in value: Any, declaredAs declared: Any.Type) -> AnyObject? {
    if declared is AnyClass { return type(of: value) == declared ? nil : value as AnyObject }
    guard nameClasses(declared), let container = value as? any StandardContainer else { return nil }
    var found: AnyObject?
    _ = container.containsElement { element, declared in
      found = subclassedInstance(in: element, declaredAs: declared)
      return found != nil
    }
    return found
  }

  private static let immutable: Set<ObjectIdentifier> = {
    let types: [Any.Type] = [
      [UInt8].self, String.self, Data.self, Bool.self, Int.self, Double.self, Float.self, Date.self, UUID.self,
      URL.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
      UInt64.self, Decimal.self, Character.self, NSNull.self,
    ]
    return Set(types.map { ObjectIdentifier($0) })
  }()
}

/// A container of the standard library with any type of elements.
protocol StandardContainer {
  /// The declared types of the elements; for a dictionary, of its keys and values.
  static var elementTypes: [Any.Type] { get }

  /// Calls `body` with each element and its declared type, until `body` returns true.
  /// - Returns: Whether `body` returned true.
  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool

  /// Returns the container with copies of the elements that have to be copied.
  func copied() -> ValueCopy
}

extension StandardContainer where Self: Collection {
  static var elementTypes: [Any.Type] { [Element.self] }

  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool {
    contains { body($0, Element.self) }
  }

  /// Returns the elements, with copies of those that have to be copied; nil if no element has to be copied.
  /// - Throws: `ImpossibleCopy` if an element cannot be copied.
  fileprivate func copiedElements() throws(ImpossibleCopy) -> [Element]? {
    var copies: [Element]?
    for (position, element) in enumerated() {
      let copy: Element? = try ValueCopy.copied(element)
      if copies == nil, copy != nil { copies = Array(prefix(position)) }
      copies?.append(copy ?? element)
    }
    return copies
  }
}

extension Array: StandardContainer {
  func copied() -> ValueCopy { ValueCopy { () throws(ImpossibleCopy) in try copiedElements() } }
}

extension ContiguousArray: StandardContainer {
  func copied() -> ValueCopy {
    ValueCopy { () throws(ImpossibleCopy) in try copiedElements().map { ContiguousArray($0) } }
  }
}

extension Set: StandardContainer {
  func copied() -> ValueCopy { ValueCopy { () throws(ImpossibleCopy) in try copiedElements().map { Set($0) } } }
}

extension Dictionary: StandardContainer {
  static var elementTypes: [Any.Type] { [Key.self, Value.self] }

  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool {
    contains { body($0.key, Key.self) || body($0.value, Value.self) }
  }

  func copied() -> ValueCopy {
    ValueCopy { () throws(ImpossibleCopy) in
      var copies: Self?
      for (key, value) in self {
        let newKey: Key? = try ValueCopy.copied(key)
        let newValue: Value? = try ValueCopy.copied(value)
        if newKey == nil, newValue == nil { continue }
        if copies == nil { copies = self }
        // A copied key equals the old one, and assignment through the subscript would keep the old key.
        if newKey != nil { copies?.removeValue(forKey: key) }
        copies?[newKey ?? key] = newValue ?? value
      }
      return copies
    }
  }
}

extension Optional: StandardContainer {
  static var elementTypes: [Any.Type] { [Wrapped.self] }

  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool {
    map { body($0, Wrapped.self) } ?? false
  }

  func copied() -> ValueCopy {
    ValueCopy { () throws(ImpossibleCopy) -> Self? in
      guard case .some(let wrapped) = self else { return nil }
      let copy: Wrapped? = try ValueCopy.copied(wrapped)
      return copy.map { .some($0) }
    }
  }
}
