extension Invariant {
  /// What must hold, for the reference.
  var summary: String {
    switch self {
    case .knownAnswers:
      "Every value read carries its collection, key, commit and checksum, and they are those that the snapshot must "
        + "show; at the end, of every row."
    case .snapshotStability: "Within one snapshot a key reads the same."
    case .monotonicSnapshots:
      "A connection's snapshot never goes back, and a read sees every commit that was acknowledged before it began."
    case .atomicCommits: "Keys written together are seen together."
    case .conservation: "`transfer` keeps the sum in every snapshot."
    case .exactlyOnceNotifications: "A bookmark that moves is told of each commit in between once, in order."
    case .cacheCoherence: "What a cache answers is what the file holds at that snapshot."
    case .noAliasing:
      "Nothing that one connection does to an object it was handed shows on another; needs a collection with "
        + "`codec: json`, since bytes are values."
    }
  }
}
