import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The depth to which values may be nested: whatever is stored can be read.
@Suite(.long, .timeLimit(.minutes(20))) struct CodableDepthTests {
  /// The ways in which a type nests values.
  enum Way: String, CaseIterable, Sendable {
    case properties, elements, single, alternate
    /// Containers that the type requests itself, all of them in one call of its functions.
    case requestedElements, requestedProperties
    case superclasses, superclassesOfKeys, superclassesInElements

    /// Whether the type calls itself, and not by a container, so that the coders cannot look at the stack.
    var isDirect: Bool { self == .superclasses || self == .superclassesOfKeys || self == .superclassesInElements }
  }

  static let way = CodingUserInfoKey(rawValue: "way").unsafelyUnwrapped

  /// A value that consists of `depth` levels inside each other, in the way that `userInfo` names.
  struct Nested: Codable, Equatable, Sendable {
    enum Keys: CodingKey { case inner, end }

    var depth: Int

    init(_ depth: Int) { self.depth = depth }

    func encode(to encoder: any Encoder) throws {
      let way = try #require(encoder.userInfo[CodableDepthTests.way] as? Way)
      guard depth > 0 else {
        var container = encoder.singleValueContainer()
        return try container.encodeNil()
      }
      let inner = Nested(depth - 1)
      switch way {
      case .single:
        var container = encoder.singleValueContainer()
        try container.encode(inner)
      case .elements: try encodeElement(inner, to: encoder)
      case .properties: try encodeProperty(inner, to: encoder)
      case .alternate:
        if depth % 2 == 0 { try encodeElement(inner, to: encoder) } else { try encodeProperty(inner, to: encoder) }
      case .requestedElements:
        var container = encoder.unkeyedContainer()
        for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
        try container.encodeNil()
      case .requestedProperties:
        var container = encoder.container(keyedBy: Keys.self)
        for _ in 1..<depth { container = container.nestedContainer(keyedBy: Keys.self, forKey: .inner) }
        try container.encode(true, forKey: .end)
      case .superclasses:
        var container = encoder.container(keyedBy: Keys.self)
        try inner.encode(to: container.superEncoder())
      case .superclassesOfKeys:
        var container = encoder.container(keyedBy: Keys.self)
        try inner.encode(to: container.superEncoder(forKey: .inner))
      case .superclassesInElements:
        var container = encoder.unkeyedContainer()
        try inner.encode(to: container.superEncoder())
      }
    }

    private func encodeElement(_ inner: Nested, to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(inner)
    }

    private func encodeProperty(_ inner: Nested, to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(inner, forKey: .inner)
    }

    init(from decoder: any Decoder) throws {
      let way = try #require(decoder.userInfo[CodableDepthTests.way] as? Way)
      if way != .single, try decoder.singleValueContainer().decodeNil() {
        depth = 0
        return
      }
      switch way {
      case .single: depth = 0
      case .elements:
        var container = try decoder.unkeyedContainer()
        depth = try container.decode(Nested.self).depth + 1
      case .properties: depth = try decoder.container(keyedBy: Keys.self).decode(Nested.self, forKey: .inner).depth + 1
      case .alternate:
        if var container = try? decoder.unkeyedContainer() {
          depth = try container.decode(Nested.self).depth + 1
        } else {
          depth = try decoder.container(keyedBy: Keys.self).decode(Nested.self, forKey: .inner).depth + 1
        }
      case .requestedElements:
        depth = 1
        var container = try decoder.unkeyedContainer()
        while try !container.decodeNil() { (container, depth) = (try container.nestedUnkeyedContainer(), depth + 1) }
      case .requestedProperties:
        depth = 1
        var container = try decoder.container(keyedBy: Keys.self)
        while !container.contains(.end) {
          (container, depth) = (try container.nestedContainer(keyedBy: Keys.self, forKey: .inner), depth + 1)
        }
      case .superclasses:
        depth = try Nested(from: decoder.container(keyedBy: Keys.self).superDecoder()).depth + 1
      case .superclassesOfKeys:
        depth = try Nested(from: decoder.container(keyedBy: Keys.self).superDecoder(forKey: .inner)).depth + 1
      case .superclassesInElements:
        var container = try decoder.unkeyedContainer()
        depth = try Nested(from: container.superDecoder()).depth + 1
      }
    }
  }

  final class Link: Codable, Sendable {
    let next: Link?

    init(_ next: Link?) { self.next = next }
  }

  indirect enum Expression: Codable, Equatable, Sendable {
    case leaf(Int), not(Expression), both(Expression, Int?)
  }

  struct Tree: Codable, Equatable, Sendable {
    var named: [String: Tree] = [:]
    var numbered: [Int: Tree] = [:]
    /// Keys that are neither texts nor integers are stored in an array.
    var flagged: [Bool: Tree] = [:]
    var list: [Tree?] = []
  }

  /// The result of `body` on a thread of its own.
  private func onStack<Result: Sendable>(of bytes: Int?, _ body: @escaping @Sendable () throws -> Result) throws
    -> Result
  {
    let results = SharedList<Swift.Result<Result, any Error>>()
    try WorkerThread(name: "stack", stackBytes: bytes) { results.append(Swift.Result { try body() }) }.join()
    return try #require(results.all.first).get()
  }

  /// Whether the codec accepts the value. If it does, it must read an equal one.
  /// - Parameter stack: The size of the stack on which the codec is called, in bytes.
  private func isStored<Value: Codable & Sendable>(
    _ value: Value,
    by codec: YapDatabaseCodec,
    onStackOf stack: Int? = nil,
    _ isSame: (Value, Value) -> Bool
  ) throws -> Bool {
    let bytes: [UInt8]
    do { bytes = try onStack(of: stack) { try encoded(value, by: codec) } } catch {
      let text = "\(error)"
      if text.utf8.count > 1_000 { throw Discrepancy("an error of \(text.utf8.count) bytes") }
      return false
    }
    guard let found = try onStack(of: stack, { try decoded(bytes, by: codec) as? Value }), isSame(found, value) else {
      throw Discrepancy("another value was read")
    }
    return true
  }

  /// The largest accepted depth around the limits. Everything below it is accepted too.
  private func limit(_ isStored: (Int) throws -> Bool) throws -> Int {
    var largest = 0
    for depth in [1, 30, 254, 255, 256, 257, 510, 511, 512, 513] {
      if try isStored(depth) {
        if largest == 0, depth > 1 { throw Discrepancy("\(depth) is accepted, but less is not") }
        largest = depth
      } else if depth < 250 {
        throw Discrepancy("\(depth) is refused")
      }
    }
    return largest
  }

  @Test(arguments: Way.allCases, YapDatabaseCodableFormat.allCases)
  func `a value is stored up to the limit, however its type nests it, and can be read`(
    way: Way,
    format: YapDatabaseCodableFormat
  ) throws {
    let codec = YapDatabaseCodec.codable(Nested.self, as: format, userInfo: [Self.way: way])
    for stack in way.isDirect ? [nil] : [nil, 512 << 10] {
      let limit = try limit { depth in
        try isStored(Nested(depth), by: codec, onStackOf: stack) { way == .single || $0 == $1 }
      }
      #expect(limit == (format == .binary && way != .single ? 512 : 511), "on a stack of \(stack ?? 0) bytes")
      // No stack would suffice for so many levels.
      for depth in way.isDirect ? [] : [20_000, 200_000] {
        try #expect(!isStored(Nested(depth), by: codec, onStackOf: stack, ==))
      }
    }
  }

  @Test(arguments: YapDatabaseCodableFormat.allCases, [nil, 512 << 10] as [Int?])
  func `classes, enumerations, dictionaries and optionals are stored up to the limit`(
    format: YapDatabaseCodableFormat,
    stack: Int?
  ) throws {
    let isBinary = format == .binary
    let links = try limit { depth in
      let chain = (0..<depth).reduce(nil as Link?) { inner, _ in Link(inner) }
      return try isStored(try #require(chain), by: .codable(Link.self, as: format), onStackOf: stack) { found, _ in
        sequence(first: found) { $0.next }.reduce(0) { count, _ in count + 1 } == depth
      }
    }
    #expect(links == (isBinary ? 512 : 511))
    for isPair in [false, true] {
      let enumerations = try limit { depth in
        let value = (1..<depth).reduce(Expression.leaf(7)) { inner, level in
          isPair ? .both(inner, level % 2 == 0 ? nil : level) : .not(inner)
        }
        return try isStored(value, by: .codable(Expression.self, as: format), onStackOf: stack, ==)
      }
      #expect(enumerations == (isBinary ? 256 : 255), "\(isPair)")
    }
    let forms: [(Tree) -> Tree] = [
      { Tree(named: ["k": $0]) }, { Tree(numbered: [7: $0]) }, { Tree(flagged: [true: $0]) },
      { Tree(list: [nil, $0]) },
    ]
    for (number, form) in forms.enumerated() {
      let trees = try limit { depth in
        let value = (1..<depth).reduce(Tree()) { inner, _ in form(inner) }
        return try isStored(value, by: .codable(Tree.self, as: format), onStackOf: stack, ==)
      }
      #expect(trees == (isBinary ? 256 : 255), "form \(number)")
    }
  }

  /// At each depth the type encodes itself as a value that encodes itself as another one. Nothing of that is stored.
  struct Wrapped: Codable, Sendable {
    struct Outer: Codable, Sendable {
      let value: Inner

      init(_ value: Inner) { self.value = value }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }

      init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Inner.self) }
    }

    struct Inner: Codable, Sendable {
      let elements: [Wrapped]

      init(_ elements: [Wrapped]) { self.elements = elements }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements { try container.encode(element) }
      }

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        elements = container.isAtEnd ? [] : [try container.decode(Wrapped.self)]
      }
    }

    let elements: [Wrapped]

    init(_ elements: [Wrapped]) { self.elements = elements }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(Outer(Inner(elements)))
    }

    init(from decoder: any Decoder) throws {
      elements = try decoder.singleValueContainer().decode(Outer.self).value.elements
    }
  }

  @Test(arguments: YapDatabaseCodableFormat.allCases, [512 << 10, 8 << 20])
  func `values that are wrapped at every depth are refused or can be read`(
    format: YapDatabaseCodableFormat,
    stack: Int
  ) throws {
    for depth in [50, 250, 400, 511] {
      let value = (1..<depth).reduce(Wrapped([])) { inner, _ in Wrapped([inner]) }
      let isStored = try isStored(value, by: .codable(Wrapped.self, as: format), onStackOf: stack) { found, _ in
        sequence(first: found) { $0.elements.first }.reduce(0) { count, _ in count + 1 } == depth
      }
      #expect(isStored || depth > 250, "\(depth)")
    }
  }

  @Test(arguments: [63, 64]) func `basic values are stored up to their limit on a small stack`(depth: Int) throws {
    for kind in 0..<3 {
      let isSame = try onStack(of: 512 << 10) {
        let value = (0..<depth).reduce("core" as Any) { inner, _ in
          switch kind {
          case 0: [inner]
          case 1: ["k": inner]
          default: NSArray(object: inner)
          }
        }
        let stored = try normalized(value)
        return areIdentical(try decoded(encoded(stored)), stored)
      }
      #expect(isSame, "kind \(kind)")
    }
  }

  @Test func `values of the greatest depth that the format allows are read`() throws {
    let codec = YapDatabaseCodec.codable(Nested.self, userInfo: [Self.way: Way.elements])
    func read(_ depth: Int) throws -> Nested? {
      let arrays = repeatElement([0x40, 0x01] as [UInt8], count: depth).joined()
      return try decoded(BasicFormat.header + arrays + [0x00], by: codec) as? Nested
    }
    #expect(try read(512) == Nested(512))
    #expect(throws: UndecodableBasicValue.self) { try read(513) }
  }

  /// A value of unknown form, which tries one form after the other.
  enum Unknown: Codable, Equatable, Sendable {
    case null, int(Int), text(String), list([Unknown]), table([String: Unknown])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let int = try? container.decode(Int.self) {
        self = .int(int)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Unknown].self) {
        self = .list(list)
      } else {
        self = .table(try container.decode([String: Unknown].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .int(let int): try container.encode(int)
      case .text(let text): try container.encode(text)
      case .list(let list): try container.encode(list)
      case .table(let table): try container.encode(table)
      }
    }
  }

  @Test(arguments: YapDatabaseCodableFormat.allCases, [nil, 512 << 10] as [Int?])
  func `a type that tries one form after the other is stored up to the limit`(
    format: YapDatabaseCodableFormat,
    stack: Int?
  ) throws {
    let limit = try limit { depth in
      let value = (0..<depth).reduce(Unknown.text("core")) { inner, level in
        level % 2 == 0 ? .list([.int(level), inner]) : .table(["k": inner, "a": .null])
      }
      return try isStored(value, by: .codable(Unknown.self, as: format), onStackOf: stack, ==)
    }
    #expect(limit == (format == .binary ? 512 : 511))
  }

  @Test func `a type that decodes itself from its own value without end is refused`() throws {
    struct Endless: Codable, Sendable {
      var inner: [Endless]

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
      }

      init() { inner = [] }

      init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    }
    #expect(throws: NestedTooDeep.self) { try CodableValueEncoder.bytes(of: Endless()) }
    let one = try CodableValueEncoder.bytes(of: 1)
    #expect(throws: NestedTooDeep.self) {
      try one.withUnsafeBytes { try CodableValueDecoder.value(Endless.self, of: $0) }
    }
    #expect(throws: NestedTooDeep.self) { try encoded(Endless(), by: .codable(Endless.self, as: .json)) }
  }

  @Test func `the depth of JSON is that of its arrays and objects, not of its texts`() {
    for (text, depth) in [
      ("1", 0), ("[]", 1), (#"{"a":[{}]}"#, 3), (#"["[[[[", "\"[[", "\\"]"#, 1), (#"[[],[[]]]"#, 3),
    ] {
      #expect(Array(text.utf8).withUnsafeBytes { CodableJSON<Int>.depth(of: $0) } == depth, "\(text)")
    }
  }
}
