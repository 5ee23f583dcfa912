/// An operation of a transaction on lists. Values are unique in a history.
package enum ListOperation: Sendable, Equatable {
  case append(key: Int, value: UInt32)
  /// The values that the read has returned; none for a key without a list.
  case read(key: Int, values: [UInt32])

  package var key: Int {
    switch self {
    case .append(let key, _), .read(let key, _): key
    }
  }
}

/// A finished transaction on lists, as its client has seen it. It contains no number of the engine.
package struct ListTransaction: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case committed
    /// The client has rolled it back.
    case rolledBack
  }

  /// The number of the connection. The transactions of a connection follow each other.
  package var process: Int
  /// Whether the transaction must see everything that was acknowledged before it began; false for reads of a bookmark.
  package var isFresh = true
  package var outcome = Outcome.committed
  /// The times just before the call and after its return, in nanoseconds of the monotonic clock.
  package var begun: UInt64
  package var ended: UInt64
  package var operations: [ListOperation]
}

/// An error in a history, which no serial order of its transactions explains.
package struct ListAnomaly: Sendable, Equatable, CustomStringConvertible {
  /// The kinds of Adya ("Weak consistency", 1999) and of Elle (Kingsbury, Alvaro, 2020).
  package enum Kind: String, Sendable, CaseIterable {
    /// A read returned a value that no transaction has appended.
    case garbage
    /// A read returned a value twice.
    case duplicate
    /// Two reads of a key returned lists of which neither is the beginning of the other.
    case incompatibleOrder = "incompatible order"
    /// A transaction did not see its own append at the end of a list, or saw two states of a list.
    case internalRead = "internal"
    /// An acknowledged append is missing from the longest read of its key.
    case lostAppend = "lost append"
    /// Two transactions have read the same version of a key, and both have appended to it.
    case lostUpdate = "lost update"
    /// A read returned a value of a transaction that was rolled back.
    case g1a = "G1a"
    /// A read returned a value of a transaction without that transaction's last value of the key.
    case g1b = "G1b"
    /// A cycle of writes alone.
    case g0 = "G0"
    /// A cycle of writes and reads of what was written.
    case g1c = "G1c"
    /// A cycle with one read of what was overwritten.
    case singleAntiDependency = "G-single"
    /// A cycle with several reads of what was overwritten.
    case g2 = "G2"
  }

  package let kind: Kind
  /// Whether the cycle needs the order of time, or of the transactions of a connection.
  package var needsOrder = false
  /// Names the keys, values and transactions.
  package let text: String

  package var description: String { kind.rawValue + (needsOrder ? " in the order of time" : "") + ": " + text }
}
