/// Digests of the operations, rows and sizes that one worker has drawn in one phase.
///
/// Two runs of one scenario with one seed have equal marks, up to the last that both runs reached. A change of one
/// actor does not change the marks of the other actors.
public struct WorkerDigest: Codable, Sendable, Equatable {
  /// The digest of the worker's first `transactions` transactions.
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

    /// Writes the digest in hexadecimal digits, because many readers of JSON do not support integers of 64 bits.
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
          debugDescription: "expected at most 16 hexadecimal digits"
        )
      }
      self.digest = digest
    }
  }

  /// The worker's number, from 0.
  public var thread: Int
  public var marks: [Mark]

  public init(thread: Int, marks: [Mark]) {
    self.thread = thread
    self.marks = marks
  }
}
