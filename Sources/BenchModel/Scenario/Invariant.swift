/// What must hold while the load runs. Wrong data outranks slow.
public enum Invariant: String, CaseIterable, Sendable, ScenarioWord {
  /// Every value read carries its collection, key, commit number and checksum, and they fit.
  case knownAnswers
  /// Within one snapshot a key reads the same.
  case snapshotStability
  /// A connection's snapshot never goes back.
  case monotonicSnapshots
  /// Keys written together are seen together.
  case atomicCommits
  /// `transfer` keeps the sum in every snapshot.
  case conservation
  /// The commits that a connection jumps are each reported once, in order.
  case exactlyOnceNotifications
  /// What the cache answers equals what the disk holds at that snapshot.
  case cacheCoherence
  /// What one connection does to an object that it was handed shows on no other: nothing crosses but what is shared,
  /// and a shared object never changes after it was handed out.
  case noAliasing

  static let noun = "an invariant"
}
