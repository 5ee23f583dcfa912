internal import Foundation

/// Converts values that the codec `basic` accepts to the form in which it decodes them.
enum BasicValueNormalization {
  /// - Throws: `UnsupportedBasicValue` if the codec does not store the value.
  static func normalized(_ value: Any, depth: Int = 0) throws -> Any {
    let kind: Any.Type = type(of: value)
    // For the usual types this takes a comparison of pointers; a cast to the protocol takes ten times as long.
    if kind == [UInt8].self || kind == String.self || kind == Int.self || kind == Double.self || kind == Bool.self {
      return value
    }
    if let basic = value as? any BasicValue { return try basic.basicValue }
    if kind is AnyClass { return try normalizedInstance(value, depth) }
    if let optional = value as? any OptionalValue {
      guard let wrapped = optional.wrapped else { throw UnsupportedBasicValue("nil of \(kind)") }
      return try normalized(wrapped, depth: depth)
    }
    if kind == AnyHashable.self, let erased = value as? AnyHashable {
      return try normalized(erased.base, depth: depth)
    }
    if let array = value as? [Any] { return try normalizedArray(array, depth) }
    if let dictionary = value as? [String: Any] { return try normalizedDictionary(dictionary, depth) }
    if let form = value as? any BasicValueForm { return try normalized(form.basicForm, depth: depth) }
    throw UnsupportedBasicValue("\(kind)", remedy: remedy(for: value))
  }

  private static func remedy(for value: Any) -> String? {
    switch value {
    case is Decimal, is NSDecimalNumber: "store its `description`, from which `Decimal(string:)` makes the same number"
    case is any RawRepresentable: "store its `rawValue`"
    case is [AnyHashable: Any]: "store a dictionary with String keys"
    case is any SetAlgebra, is any Sequence: "store an array of its elements"
    default: nil
    }
  }

  private static func normalizedInstance(_ value: Any, _ depth: Int) throws -> Any {
    switch value {
    case let number as NSNumber: return try normalizedNumber(number)
    case is NSArray:
      if let array = value as? [Any] { return try normalizedArray(array, depth) }
    case let dictionary as NSDictionary:
      return try normalizedDictionary(dictionary.map { ($0.key, $0.value) }, depth)
    // Copy: the instance may be mutable, and the bridged value may share its bytes.
    case is NSData:
      if let data = value as? Data { return data.withUnsafeBytes { Data($0) } }
    case is NSString:
      if let text = value as? String { return text }
    case is NSDate:
      if let date = value as? Date { return date }
    case is NSURL:
      if let url = value as? URL { return try url.basicValue }
    case is NSUUID:
      if let uuid = value as? UUID { return uuid }
    default: break
    }
    throw UnsupportedBasicValue("an instance of \(type(of: value))", remedy: remedy(for: value))
  }

  /// Returns a `Bool`, a `Double`, an `Int`, or a `UInt64` above `Int.max`, depending on how the number was created.
  private static func normalizedNumber(_ number: NSNumber) throws -> Any {
    if number is NSDecimalNumber {
      throw UnsupportedBasicValue("an instance of NSDecimalNumber", remedy: remedy(for: number))
    }
    if number === NSNumber(value: true) { return true }
    if number === NSNumber(value: false) { return false }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): return number.doubleValue
    default: return Int(exactly: number) ?? number.uint64Value
    }
  }

  private static func normalizedArray(_ array: [Any], _ depth: Int) throws -> [Any] {
    try checkDepth(depth)
    var normal: [Any] = []
    normal.reserveCapacity(array.count)
    for (index, element) in array.enumerated() {
      do { normal.append(try normalized(element, depth: depth + 1)) } catch let error as UnsupportedBasicValue {
        throw error.inside("\(index)")
      }
    }
    return normal
  }

  private static func normalizedDictionary(
    _ entries: some Collection<(key: some Any, value: Any)>,
    _ depth: Int
  ) throws -> [String: Any] {
    try checkDepth(depth)
    var normal: [String: Any] = [:]
    normal.reserveCapacity(entries.count)
    for (key, value) in entries {
      guard let text = key as? String else {
        throw UnsupportedBasicValue("a dictionary key of type \(type(of: key as Any))")
      }
      do {
        normal[text] = try normalized(value, depth: depth + 1)
      } catch let error as UnsupportedBasicValue {
        throw error.inside("\"\(text)\"")
      }
    }
    return normal
  }

  private static func checkDepth(_ depth: Int) throws {
    guard depth < BasicFormat.maximumDepth else {
      throw UnsupportedBasicValue("containers nested more than \(BasicFormat.maximumDepth) deep")
    }
  }
}

/// A value of Swift that is another form of a basic value.
private protocol BasicValueForm {
  /// A value of the type that is stored in its place.
  var basicForm: Any { get }
}

extension Substring: BasicValueForm { fileprivate var basicForm: Any { String(self) } }
extension Character: BasicValueForm { fileprivate var basicForm: Any { String(self) } }
extension ArraySlice: BasicValueForm { fileprivate var basicForm: Any { Array(self) } }
extension ContiguousArray: BasicValueForm { fileprivate var basicForm: Any { Array(self) } }

/// An optional of any type, inside an `Any`.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}
