internal import CPlatform
internal import Foundation
internal import ThreadingPrimitives

/// `Codable` values of one type as JSON, with a stack that is large enough for deep values.
///
/// Foundation's coders call the types recursively and do not look at the stack. Their own limit is 511 containers, but
/// the encoder checks it only after it has called all types.
struct CodableJSON<Object: Codable>: Sendable {
  /// The depth to which a value's own containers are walked before it is encoded. Foundation checks its limit exactly;
  /// it stores `URL` and `Decimal` as single values, which by themselves have up to two containers.
  private static var walkedDepth: Int { maximumDepth + 2 }
  private static var maximumDepth: Int { 511 }
  /// The bytes of stack that are kept for each container, or value that is encoded as another one. Debug builds of
  /// types that try one form after the other need the most.
  private static var bytesPerCall: Int { 12 << 10 }
  /// The bytes of stack that are kept for each array and object of a text. Values that are encoded as others leave no
  /// trace in it, so this is the most that the encoder can have had.
  private static var bytesPerStoredContainer: Int { (LargeStack.bytes - reserve) / walkedDepth }
  private static var reserve: Int { 128 << 10 }

  private let userInfo: CodableUserInfo
  /// Whether the depth of values follows from the type.
  private let isFlat = DeclaredTypes.areImmutable(Object.self)

  init(_ userInfo: CodableUserInfo) { self.userInfo = userInfo }

  func encode(_ object: Object) throws -> Data {
    let encoder = JSONEncoder()
    // A dictionary's order differs between encodings, but equal values must have equal bytes.
    encoder.outputFormatting = .sortedKeys
    encoder.userInfo = userInfo.sendable
    // Without this walk a deep value would exceed the stack. It takes about a third of the time of the encoding.
    let calls = isFlat ? 0 : try calls(of: object)
    return try Self.withStack(of: calls * Self.bytesPerCall) { try encoder.encode(object) }
  }

  private func calls(of object: Object) throws -> Int {
    do {
      return try CodableValueEncoder.depth(of: object, userInfo: userInfo.any, maximumDepth: Self.walkedDepth)
    } catch let error as NestedTooDeep {
      throw NestedTooDeep(path: error.path, maximum: Self.maximumDepth)
    }
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws -> Object {
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo.sendable
    let data = Data(bytes)
    let depth = isFlat ? 0 : Self.depth(of: bytes)
    return try Self.withStack(of: depth * Self.bytesPerStoredContainer) {
      try decoder.decode(Object.self, from: data)
    }
  }

  private static func withStack<Result>(of needed: Int, _ body: () throws -> Result) throws -> Result {
    let bytes = reserve + needed
    if bytes <= cplatform_stack_left() { return try body() }
    // Only values that are wrapped in others at many depths need more than this.
    guard bytes <= LargeStack.bytes else { throw NestedTooDeep(path: [], maximum: maximumDepth) }
    return try LargeStack.run(body)
  }

  /// Returns the number of arrays and objects on the deepest path; an arbitrary number for bytes that are not JSON.
  static func depth(of bytes: UnsafeRawBufferPointer) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInText, isEscaped) = (false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInText: isEscaped = true
      case UInt8(ascii: "\""): isInText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if isInText { continue }
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInText { depth -= 1 }
      default: break
      }
    }
    return min(deepest, walkedDepth)
  }
}
