/// A property of the data that must always hold. The first violation stops the run and decides its exit code.
public enum Invariant: String, CaseIterable, Sendable {
  case knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits, conservation, exactlyOnceNotifications
  case cacheCoherence, noAliasing
  // A stress run checks these too. They need the ledger, which would change the figures of a measured run.
  case ledger, serializedWriters, exactVersions, freshReads, enumerations, changedKeys, boundedWAL, liveness

  /// The invariants that a scenario can state.
  public static let stated = Array(allCases.prefix { $0 != .ledger })

  /// The meaning, as a sentence.
  public var summary: String {
    switch self {
    case .knownAnswers:
      "Every value contains its collection, key, commit and checksum, and each read returns the value that "
        + "its snapshot must contain. At the end of the run, every row is checked."
    case .snapshotStability: "All reads of a key within one snapshot return the same value."
    case .monotonicSnapshots:
      "A connection's snapshot never moves back. A move of a bookmark, and a read without a bookmark, sees "
        + "every commit that was acknowledged before it began."
    case .atomicCommits: "The writes of one transaction become visible together."
    case .conservation: "The sum of the balances that `transfer` moves is the same in every snapshot."
    case .exactlyOnceNotifications:
      "Every commit is notified exactly once, in order: to the client, and to each bookmark that moves past it."
    case .cacheCoherence: "A cache returns the value that the file contains at the same snapshot."
    case .noAliasing:
      "A change that one connection makes to an object that it has received is not visible to other "
        + "connections. Needs a collection with `codec: json`, because bytes are values and not instances."
    case .ledger:
      "Commits have the numbers from 1 on without a gap, each entry of the ledger contains the digest of the previous "
        + "one, and the entries imply every row of the file."
    case .serializedWriters: "A read-write transaction with the number c reads the snapshot c - 1."
    case .exactVersions:
      "A read at a snapshot returns the newest version up to that snapshot; in a read-write transaction, its own."
    case .freshReads: "A read without a bookmark sees every commit that was acknowledged before it began."
    case .enumerations: "A collection's keys and their number are those of the snapshot."
    case .changedKeys:
      "A notification has exactly the keys that its commit has changed, and a new read sees the commit."
    case .boundedWAL: "After the oldest snapshot has moved, a checkpoint and a commit bring the WAL below its limit."
    case .liveness: "No transaction waits for 10 s while nothing else uses the database."
    }
  }
}

extension Invariant: ScenarioWord {
  static let noun = "an invariant"
  static var words: [String] { stated.map(\.rawValue) }
}
