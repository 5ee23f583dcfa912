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
  private static var maximumDepth: Int { 511 + 2 }
  /// The bytes of stack that are kept for each container. Debug builds of types that try one form after
  /// the other need the most.
  private static var bytesPerContainer: Int { 12 << 10 }
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
    let depth =
      isFlat ? 0 : try CodableValueEncoder.depth(of: object, userInfo: userInfo.any, maximumDepth: Self.maximumDepth)
    return try Self.withStack(forDepth: depth) { try encoder.encode(object) }
  }

  func decode(_ bytes: UnsafeRawBufferPointer) throws -> Object {
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo.sendable
    let data = Data(bytes)
    // Threads of the usual size have enough stack for every depth that the decoder accepts.
    if cplatform_stack_left() >= Self.reserve + Self.maximumDepth * Self.bytesPerContainer {
      return try decoder.decode(Object.self, from: data)
    }
    return try Self.withStack(forDepth: Self.depth(of: bytes)) { try decoder.decode(Object.self, from: data) }
  }

  private static func withStack<Result>(forDepth depth: Int, _ body: () throws -> Result) throws -> Result {
    let bytes = reserve + depth * bytesPerContainer
    if bytes <= cplatform_stack_left() { return try body() }
    // Only values that are wrapped in others at many depths need more than this.
    guard bytes <= LargeStack.bytes else { throw NestedTooDeep(at: [], maximum: maximumDepth) }
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
    return min(deepest, maximumDepth)
  }
}
