internal import Foundation

/// Properties of types that follow from their declarations, without inspecting a value.
enum DeclaredTypes {
  /// Returns whether values of the type cannot refer to anything mutable, so that sharing one is equivalent to copying
  /// it.
  ///
  /// Returns false for every unknown type, because any struct may hold an instance of a class.
  static func areImmutable(_ type: Any.Type) -> Bool {
    if immutable.contains(ObjectIdentifier(type)) { return true }
    guard let container = type as? any StandardContainer.Type else { return false }
    return container.elementTypes.allSatisfy(areImmutable)
  }

  /// Returns whether the type is a class, or a container whose declaration names one.
  static func nameClasses(_ type: Any.Type) -> Bool {
    if type is AnyClass { return true }
    guard let container = type as? any StandardContainer.Type else { return false }
    return container.elementTypes.contains(where: nameClasses)
  }

  /// Returns an instance of a subclass of the declared class: the value itself, or an element of its containers.
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
