/// The record of one commit, which is stored in the same commit: what it wrote, and the digest of the entry before.
///
/// The entries form a chain without gaps, so a commit that SQLite has lost, and a row that something else has changed,
/// are found by reading the database alone. The bytes are: "YLE1"; the commit's number (64 bits); the number of commits
/// before it that have no entry (32 bits); the number of its connection (32 bits), and its number among the commits of
/// that connection (64 bits); the digest of the previous entry (64 bits); the number of writes (32 bits), and the
/// writes; and the digest of all of these bytes (64 bits). Integers are little-endian. Texts are UTF-8 behind their
/// length (32 bits).
public struct LedgerEntry: Sendable, Equatable {
  /// The collection that contains the entries.
  public static let collection = "yapbench.ledger"

  /// A change of one row, or of all rows of a collection.
  public struct Write: Sendable, Equatable {
    public enum Change: UInt8, Sendable {
      /// Both parts of the row are as the digests state.
      case row = 1
      /// The row is removed.
      case removal = 2
      /// All rows of the collection are removed; the key is empty.
      case clearing = 3
      /// The object is as the digest states, and the metadata are as before; without the row, nothing has changed.
      case object = 4
      /// The metadata are as the digest states, and the object is as before; without the row, nothing has changed.
      case metadata = 5
    }

    public var change: Change
    public var collection: String
    public var key: String
    /// The digest of the row's object; 0 without one.
    public var object: UInt64
    /// The digest of the row's metadata; 0 without metadata.
    public var metadata: UInt64

    public init(_ change: Change, _ key: String, in collection: String, object: UInt64 = 0, metadata: UInt64 = 0) {
      self.change = change
      self.key = key
      self.collection = collection
      self.object = object
      self.metadata = metadata
    }
  }

  /// The number of the commit that stores the entry.
  public var commit: UInt64
  /// The number of commits directly before this one that have no entry, such as registrations of views.
  public var unrecorded: UInt32
  public var connection: UInt32
  /// The number of the entry among its connection's entries, from 1 on.
  public var sequence: UInt64
  /// The digest of the previous entry; 0 for the first.
  public var previous: UInt64
  /// In the order in which they were made.
  public var writes: [Write]

  public init(
    commit: UInt64,
    unrecorded: UInt32 = 0,
    connection: UInt32,
    sequence: UInt64,
    previous: UInt64,
    writes: [Write]
  ) {
    self.commit = commit
    self.unrecorded = unrecorded
    self.connection = connection
    self.sequence = sequence
    self.previous = previous
    self.writes = writes
  }

  /// The key of the entry of a commit. Keys are in the order of the commits.
  public static func key(of commit: UInt64) -> String {
    let digits = String(commit, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The bytes of the entry, and their digest, which the next entry contains.
  public func encoded() -> (bytes: [UInt8], digest: UInt64) {
    var bytes = Self.magic
    func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    func put(_ text: String) {
      put(UInt32(text.utf8.count))
      bytes += text.utf8
    }
    put(commit)
    put(unrecorded)
    put(connection)
    put(sequence)
    put(previous)
    put(UInt32(writes.count))
    for write in writes {
      bytes.append(write.change.rawValue)
      put(write.collection)
      put(write.key)
      put(write.object)
      put(write.metadata)
    }
    let digest = LedgerDigest.of(bytes)
    put(digest)
    return (bytes, digest)
  }

  /// Reads an entry.
  /// - Returns: nil if the bytes are not an entry, or are damaged.
  public static func decode(_ bytes: [UInt8]) -> (entry: LedgerEntry, digest: UInt64)? {
    guard bytes.count >= 8 else { return nil }
    let body = bytes.prefix(bytes.count - 8)
    var tail = LedgerReader(rest: bytes[body.endIndex...])
    var reader = LedgerReader(rest: body)
    let digest = LedgerDigest.of(body)
    guard tail.take(UInt64.self) == digest, reader.take(count: 4) == magic[...],
      let commit = reader.take(UInt64.self), let unrecorded = reader.take(UInt32.self),
      let connection = reader.take(UInt32.self), let sequence = reader.take(UInt64.self),
      let previous = reader.take(UInt64.self), let count = reader.take(UInt32.self)
    else { return nil }
    var writes: [Write] = []
    for _ in 0..<count {
      guard let change = reader.take(UInt8.self).flatMap(Write.Change.init), let collection = reader.takeText(),
        let key = reader.takeText(), let object = reader.take(UInt64.self), let metadata = reader.take(UInt64.self)
      else { return nil }
      writes.append(Write(change, key, in: collection, object: object, metadata: metadata))
    }
    let entry = LedgerEntry(
      commit: commit,
      unrecorded: unrecorded,
      connection: connection,
      sequence: sequence,
      previous: previous,
      writes: writes
    )
    return reader.isAtEnd ? (entry, digest) : nil
  }

  private static let magic = Array("YLE1".utf8)
}

private struct LedgerReader {
  var rest: ArraySlice<UInt8>

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func take<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    take(count: MemoryLayout<Integer>.size).map { bytes in
      bytes.withUnsafeBytes { Integer(littleEndian: $0.loadUnaligned(as: Integer.self)) }
    }
  }

  mutating func takeText() -> String? {
    guard let count = take(UInt32.self), let bytes = take(count: Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
