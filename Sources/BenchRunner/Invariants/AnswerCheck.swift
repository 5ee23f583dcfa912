internal import BenchScenario
internal import CommitLedger
internal import HarnessPrimitives

/// The answers that a transaction got, kept until they are checked.
struct AnswerCheck {
  private enum Found {
    case value([UInt8]?, RowPart)
    case presence(Bool)
  }

  private let context: RunContext
  private let actor: String
  private let collections: [CheckedCollection]
  private let checksKnownAnswers: Bool
  private let checksStability: Bool
  private let checksVersions: Bool
  /// The answers, each with the index of its collection. In a read-write transaction, which may change a row again
  /// before the check, each has the row's mark and the digest of its value at the time of the read.
  private var answers: [(collection: Int, row: Int, found: Found, mark: AnswerOracle.Mark?, digest: UInt64?)] = []
  /// The presence of late-registered views, as the transaction found it.
  private var views: [(registration: LateView, isThere: Bool)] = []
  private var snapshot: UInt64 = 0
  private var isWriting = false
  /// Whether the reads of the transaction are checked.
  var isChosen = true
  /// The number of checks so far. The owner adds its checks of snapshots.
  var checks = CheckCounts()
  /// The connection of the last transaction whose answers were needed; nil before the first.
  private var connection: MeasuredConnection?
  private let memoryName: String
  private var memory: StabilityMemory

  /// - Parameter memory: the name under which the memory of values is kept from phase to phase.
  init(_ actor: RunningActor, memory name: String) {
    context = actor.context
    self.actor = actor.settings.name
    collections = actor.collections
    checksKnownAnswers = context.invariants.contains(.knownAnswers)
    checksStability = context.invariants.contains(.snapshotStability)
    checksVersions = context.ledger != nil && context.invariants.contains(.exactVersions)
    memoryName = name
    memory = context.takeMemory(name)
  }

  /// Whether anything that the transaction reads must be kept for a check.
  var isNeeded: Bool { isChosen && (checksKnownAnswers || checksStability || checksVersions) }

  /// Begins a transaction.
  /// - Parameter isWriting: whether the transaction is a read-write one, which sees its own changes before they have a
  ///   snapshot, and may change a row again that it has read.
  mutating func begin(at snapshot: UInt64, on connection: MeasuredConnection, isWriting: Bool) {
    self.snapshot = snapshot
    if isNeeded { self.connection = connection }
    self.isWriting = isWriting
  }

  /// - Parameter collection: the index of the collection in the actor's list.
  @inline(__always)
  mutating func add(_ value: [UInt8]?, of part: RowPart, row: Int, in collection: Int) {
    guard isNeeded else { return }
    add(.value(value, part), of: part, row: row, in: collection)
  }

  @inline(__always)
  mutating func add(presence: Bool, ofRow row: Int, in collection: Int) {
    guard isNeeded else { return }
    add(.presence(presence), of: .object, row: row, in: collection)
  }

  private mutating func add(_ found: Found, of part: RowPart, row: Int, in collection: Int) {
    guard isWriting, let oracle = collections[collection].oracle else {
      return answers.append((collection, row, found, nil, nil))
    }
    let digest = checksVersions ? oracle.versions?.newest(of: part, row: row)?.digest ?? 0 : nil
    answers.append((collection, row, found, oracle.mark(of: part, row: row), digest))
  }

  mutating func add(presence: Bool, of registration: LateView) {
    guard isChosen, checksKnownAnswers else { return }
    views.append((registration, presence))
  }

  /// Drops all answers, because the transaction did not reach its end.
  mutating func drop() {
    answers.removeAll(keepingCapacity: true)
    views.removeAll(keepingCapacity: true)
  }

  func report(_ objection: String) {
    context.violations.report(.knownAnswers, "snapshot \(snapshot): \(objection)")
  }

  /// Ends the phase: adds the checks, and keeps the memory of values, because a bookmark may outlive the phase.
  func end(_ sum: inout CheckCounts) {
    sum += checks
    context.keep(memory, of: memoryName)
  }

  /// Checks and drops all answers.
  mutating func check() {
    checkViews()
    guard !answers.isEmpty else { return }
    if checksStability, !isWriting { memory.enter(snapshot) }
    for (index, row, found, mark, digest) in answers {
      let collection = collections[index]
      if checksKnownAnswers {
        checks.knownAnswers += 1
        let objection =
          switch found {
          case .value(let value, let part):
            collection.objection(to: value, of: part, row: row, at: snapshot, mark: mark)
          case .presence(let isPresent):
            collection.objection(toPresence: isPresent, ofRow: row, at: snapshot, mark: mark)
          }
        if let objection { report(.knownAnswers, objection, to: found, row: row, of: collection) }
      }
      if checksVersions { checkVersion(found, row: row, in: collection, expected: digest) }
      if checksStability, !isWriting { compare(found, row: row, in: collection) }
    }
    answers.removeAll(keepingCapacity: true)
  }

  private mutating func checkViews() {
    // A read-write transaction sees views as of the previous commit.
    let snapshot = isWriting ? snapshot - 1 : snapshot
    for (registration, isThere) in views {
      checks.knownAnswers += 1
      if let objection = registration.objection(to: isThere, at: snapshot) {
        context.violations.report(
          .knownAnswers,
          "the view \"\(registration.settings.name)\" on connection \"\(connection?.name ?? "")\" \(objection)"
        )
      }
    }
    views.removeAll(keepingCapacity: true)
  }

  /// Compares an answer with the newest version that the snapshot contains.
  /// - Parameter digest: the digest of the value when it was read; nil looks the version up.
  private mutating func checkVersion(_ found: Found, row: Int, in collection: CheckedCollection, expected: UInt64?) {
    guard let versions = collection.versions else { return }
    checks.exactVersions += 1
    let part = if case .value(_, let part) = found { part } else { RowPart.object }
    let version = versions.version(of: part, row: row, at: snapshot)
    let expected = expected ?? version?.digest ?? 0
    let isRight =
      switch found {
      case .value(let value, _): (value.map { LedgerDigest.of($0) } ?? 0) == expected
      case .presence(let isPresent): isPresent == (expected != 0)
      }
    guard !isRight else { return }
    let objection =
      expected == 0
      ? "was found, but is absent" : "is not the one of commit \(version?.commit ?? snapshot), the newest version"
    report(.exactVersions, objection + " at this snapshot", to: found, row: row, of: collection)
  }

  private mutating func compare(_ found: Found, row: Int, in collection: CheckedCollection) {
    guard case .value(let value, let part) = found else { return }
    let number = UInt64(collection.number) << 48 | UInt64(row) << 1 | UInt64(part.index)
    let (wasKnown, differing) = memory.compare(value.map(Payload.fingerprint) ?? .max, of: number)
    if wasKnown { checks.snapshotStability += 1 }
    if differing != nil {
      let objection = "differs from the value that was read before in the same snapshot"
      report(.snapshotStability, objection, to: found, row: row, of: collection)
    }
  }

  private func report(
    _ invariant: Invariant,
    _ objection: String,
    to found: Found,
    row: Int,
    of collection: CheckedCollection
  ) {
    let part = if case .value(_, let part) = found { "\(part)" } else { "row" }
    context.violations.report(
      invariant,
      "actor \"\(actor)\" on connection \"\(connection?.name ?? "")\", snapshot \(snapshot): the \(part) of "
        + "\"\(collection.name)\"/\(collection.keys.key(row)) \(objection)"
    )
  }
}

/// Fingerprints of the values that a worker has read in the current snapshot, to check that it reads the same again.
///
/// A table of fixed size: an entry replaces another entry in the same slot. A value whose entry was replaced is not
/// compared, and every comparison is with a value that was really read before.
struct StabilityMemory: Sendable {
  private static let slots = 8192

  private var snapshot: UInt64 = .max
  private var epoch: UInt32 = 0
  /// Empty until the first comparison: 192 KiB, which only workers that check stability need.
  private var entries: [(row: UInt64, epoch: UInt32, answer: UInt64)] = []

  /// Begins the reads of `snapshot`. If it differs from the last one, all entries are dropped.
  mutating func enter(_ snapshot: UInt64) {
    if snapshot == self.snapshot { return }
    self.snapshot = snapshot
    epoch &+= 1
  }

  /// - Parameters:
  ///   - answer: a fingerprint of the value; `UInt64.max` for no value.
  ///   - row: the row part that was read, as one number.
  /// - Returns: whether there was an earlier answer to compare with, and that answer if it differs.
  mutating func compare(_ answer: UInt64, of row: UInt64) -> (wasKnown: Bool, differing: UInt64?) {
    if entries.isEmpty { entries = Array(repeating: (0, 0, 0), count: Self.slots) }
    let slot = Int(RandomStream.mix(row) % UInt64(Self.slots))
    let entry = entries[slot]
    entries[slot] = (row, epoch, answer)
    guard entry.row == row, entry.epoch == epoch else { return (false, nil) }
    return (true, entry.answer == answer ? nil : entry.answer)
  }
}
