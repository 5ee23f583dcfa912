/// A container of the standard library with any type of elements.
protocol StandardContainer {
  /// The declared types of the elements. For a dictionary, those of its keys and values.
  static var elementTypes: [Any.Type] { get }

  /// Calls `body` with each element and its declared type, until `body` returns true.
  /// - Returns: Whether `body` returned true.
  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool

  /// Returns a container of copies of the elements.
  func copied() -> ValueCopy
}

extension StandardContainer where Self: Collection {
  static var elementTypes: [Any.Type] { [Element.self] }

  func containsElement(where body: (_ element: Any, _ declared: Any.Type) -> Bool) -> Bool {
    contains { body($0, Element.self) }
  }

  /// Returns copies of the elements, or nil if no element has to be copied.
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
