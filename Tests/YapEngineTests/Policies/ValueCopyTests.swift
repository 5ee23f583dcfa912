import Foundation
import Testing

@testable import YapEngine

/// Copies for the policy copy.
@Suite struct ValueCopyTests {
  /// An instance that Foundation can copy.
  final class Note: NSObject, NSCopying, @unchecked Sendable {
    var text: String
    init(_ text: String) { self.text = text }
    func copy(with zone: NSZone?) -> Any { Note(text) }
  }

  /// A struct that refers to a mutable instance and can be copied.
  struct Draft: DatabaseCopyable {
    var note: Note
    func databaseCopy() -> Draft { Draft(note: Note(note.text)) }
  }

  /// A struct that cannot be copied.
  struct Opaque {
    var note: Note
  }

  enum Outcome: Equatable { case unneeded, copied, impossible }

  private func outcome(_ value: Any) -> Outcome {
    switch ValueCopy(of: value) {
    case .unneeded: .unneeded
    case .copy: .copied
    case .impossible: .impossible
    }
  }

  private func copy<Value>(_ value: Value) throws -> Value {
    guard case .copy(let copy) = ValueCopy(of: value) else { throw Discrepancy("no copy of \(value)") }
    return try #require(copy as? Value)
  }

  @Test func `instances are copied by either protocol, preferably the engine's`() throws {
    let note = Note("a")
    let copied = try copy(note)
    #expect(copied !== note && copied.text == "a")
    let draft = Draft(note: note)
    #expect(try copy(draft).note !== note)
    #expect(outcome(Instance("a")) == .impossible)
    #expect(outcome(CopyableInstance("a")) == .copied)
    #expect(outcome(NSMutableString(string: "a")) == .copied)
    #expect(outcome(Opaque(note: note)) == .unneeded)
  }

  @Test func `containers are copied element by element, at every depth`() throws {
    let notes = [Note("a"), Note("b")]
    let array = try copy(notes)
    #expect(array.map(\.text) == ["a", "b"] && zip(array, notes).allSatisfy { $0 !== $1 })
    let contiguous = try copy(ContiguousArray(notes))
    #expect(contiguous[1] !== notes[1] && contiguous[1].text == "b")
    let dictionary = try copy(["n": notes[0]])
    #expect(dictionary["n"] !== notes[0] && dictionary["n"]?.text == "a")
    let nested = try copy(["n": [notes[0]], "none": []])
    #expect(nested["n"]?[0] !== notes[0] && nested["n"]?[0].text == "a" && nested["none"] == [])
    let optional = try copy([notes[0], nil])
    #expect(optional.count == 2 && optional[0] !== notes[0] && optional[0]?.text == "a" && optional[1] == nil)
    let mixed = try copy([1, "text", Draft(note: notes[0]), [Data([1])]] as [Any])
    #expect((mixed[2] as? Draft)?.note !== notes[0] && mixed[0] as? Int == 1 && mixed[3] as? [Data] == [Data([1])])
    let keyed = try copy([notes[0]: 1])
    #expect(keyed.count == 1 && keyed.keys.first !== notes[0] && keyed.values.first == 1)
    let set = try copy(Set(notes))
    #expect(Set(set.map(\.text)) == ["a", "b"] && set.isDisjoint(with: notes))
  }

  @Test func `a container with one instance that cannot be copied is not copied`() {
    let lone = Instance("a")
    for value in [
      [lone], [CopyableInstance("b"), lone], [1, lone] as [Any], ["a": lone], ["a": [lone]], Optional(lone) as Any,
      [Optional(lone)], [ObjectIdentifier(lone): lone],
    ] as [Any] {
      #expect(outcome(value) == .impossible, "\(value)")
    }
  }

  @Test func `values without references are not copied`() {
    for value in [
      1, "text", Data([1]), [1, 2], ["a": [1.5]], [1, "a"] as [Any], Set(["a"]), [nil, 1] as [Int?], NSNull(),
      [Opaque(note: Note("a"))], [Instance](),
    ] as [Any] {
      #expect(outcome(value) == .unneeded, "\(value)")
    }
  }

  /// Stores arrays of instances, each of one byte.
  private static let list = YapDatabaseCodec { object, _, _, write in
    guard let list = object as? [Instance] else { throw Deliberate() }
    try list.flatMap(\.content).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    bytes.map { CopyableInstance([$0]) as Instance }
  }

  @Test func `a reader under copy has elements of its own`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Self.list
    options.defaultObjectPolicy = .copy
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let readers = try (0..<2).map { _ in try database.newConnection() }
      func read(_ reader: YapDatabaseConnection) throws -> [Instance] {
        try reader.read { try $0.object(forKey: "k") as? [Instance] } ?? []
      }
      try writer.readWrite { try $0.setObject([CopyableInstance([1])] as [Instance], forKey: "k") }
      for reader in readers { _ = try read(reader) }
      let stored: [Instance] = [CopyableInstance([2]), CopyableInstance([3])]
      try writer.readWrite { transaction in
        try transaction.setObject(stored, forKey: "k")
        stored[0].content = [9]
      }
      let found = try readers.map(read)
      for (index, elements) in found.enumerated() {
        #expect(elements.map(\.content) == [[2], [3]])
        #expect(zip(elements, stored).allSatisfy { $0 !== $1 })
        #expect(zip(elements, found[1 - index]).allSatisfy { $0 !== $1 })
        // Each reader makes one copy, and decodes only before that.
        #expect(readers[index].counters.objects.copied.value == 1)
        #expect(readers[index].counters.objects.decoded.value == 1)
      }
      // If one element cannot be copied, readers decode the row again.
      try writer.readWrite { try $0.setObject([CopyableInstance([4]), Instance([5])], forKey: "k") }
      try #expect(read(readers[0]).map(\.content) == [[4], [5]])
      #expect(readers[0].counters.objects.decoded.value == 2)
    }
  }
}
