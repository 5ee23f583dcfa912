/// What one worker of an actor has drawn in one phase, as numbers that compare: its operations, their rows and sizes.
///
/// Two runs of one scenario with one seed have equal marks as far as both have come; so have the other actors when one
/// was changed.
public struct DigestResult: Codable, Sendable, Equatable {
  /// All transactions up to one.
  public struct Mark: Codable, Sendable, Equatable {
    /// A power of two.
    public var transactions: Int
    public var digest: UInt64

    public init(transactions: Int, digest: UInt64) {
      self.transactions = transactions
      self.digest = digest
    }

    private enum CodingKeys: String, CodingKey {
      case transactions, digest
    }

    /// The digest in hexadecimal digits: many readers of JSON know no whole numbers of 64 bits.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(transactions, forKey: .transactions)
      try container.encode(String(digest, radix: 16), forKey: .digest)
    }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      transactions = try container.decode(Int.self, forKey: .transactions)
      guard let digest = UInt64(try container.decode(String.self, forKey: .digest), radix: 16) else {
        throw DecodingError.dataCorruptedError(
          forKey: .digest,
          in: container,
          debugDescription: "expected hexadecimal digits"
        )
      }
      self.digest = digest
    }
  }

  public var phase: String
  public var actor: String
  /// From 0.
  public var thread: Int
  public var marks: [Mark]

  public init(phase: String, actor: String, thread: Int, marks: [Mark]) {
    self.phase = phase
    self.actor = actor
    self.thread = thread
    self.marks = marks
  }

  /// Whether neither has a mark that the other contradicts.
  public func agrees(with other: DigestResult) -> Bool { zip(marks, other.marks).allSatisfy { $0 == $1 } }
}
