internal import BenchModel

/// The answers that a transaction got, kept until they are checked.
struct AnswerCheck {
  private enum Found {
    case value([UInt8]?, AnswerOracle.Half)
    case presence(Bool)
  }

  private let violations: ViolationLog
  private let checksKnownAnswers: Bool
  private let checksStability: Bool
  /// The answers. In a read-write transaction, which may change a row again before the check, each has the row's mark
  /// at the time of the read.
  private var answers: [(row: Int, found: Found, mark: AnswerOracle.Mark?)] = []
  /// The presence of late-registered views, as the transaction found it.
  private var views: [(registration: LateView, isThere: Bool)] = []
  private var snapshot: UInt64 = 0
  private var isWriting = false
  private var isChosen = true
  private var connection = ""
  private(set) var memory: StabilityMemory

  init(_ context: RunContext, memory: StabilityMemory) {
    violations = context.violations
    checksKnownAnswers = context.invariants.contains(.knownAnswers)
    checksStability = context.invariants.contains(.snapshotStability)
    self.memory = memory
  }

  /// Whether anything that the transaction reads must be kept for a check.
  var isNeeded: Bool { isChosen && (checksKnownAnswers || checksStability) }

  /// - Parameters:
  ///   - isWriting: whether the transaction is a read-write one, which sees its own changes before they have a
  ///     snapshot, and may change again what it has read.
  ///   - isChosen: whether its reads are checked.
  mutating func begin(at snapshot: UInt64, on connection: MeasuredConnection, isWriting: Bool, isChosen: Bool) {
    self.isChosen = isChosen
    self.snapshot = snapshot
    self.connection = connection.name
    self.isWriting = isWriting
  }

  mutating func add(_ value: [UInt8]?, _ row: Int, _ half: AnswerOracle.Half, _ collection: CheckedCollection) {
    guard isNeeded else { return }
    answers.append((row, .value(value, half), isWriting ? collection.oracle?.mark(row, half) : nil))
  }

  mutating func add(presence: Bool, _ row: Int, _ collection: CheckedCollection) {
    guard isNeeded else { return }
    answers.append((row, .presence(presence), isWriting ? collection.oracle?.mark(row, .object) : nil))
  }

  mutating func add(isThere: Bool, _ registration: LateView) {
    guard isChosen, checksKnownAnswers else { return }
    views.append((registration, isThere))
  }

  /// Drops all answers, because the transaction did not reach its end.
  mutating func forget() {
    answers.removeAll(keepingCapacity: true)
    views.removeAll(keepingCapacity: true)
  }

  func report(_ objection: String) {
    violations.report(.knownAnswers, "snapshot \(snapshot): \(objection)")
  }

  /// Checks and forgets all answers.
  mutating func check(_ checks: inout CheckCounts, _ actor: RunningActor) {
    checkViews(&checks)
    guard !answers.isEmpty, let collection = actor.collection else { return }
    if checksStability, !isWriting { memory.enter(snapshot) }
    for (row, found, mark) in answers {
      if checksKnownAnswers {
        checks.knownAnswers += 1
        let objection =
          switch found {
          case .value(let value, let half): collection.objection(to: value, row, half, at: snapshot, known: mark)
          case .presence(let isPresent):
            collection.oracle?.objection(toPresence: isPresent, at: snapshot, row, known: mark)
          }
        if let objection { violations.report(.knownAnswers, describe(row, found, objection, actor)) }
      }
      if checksStability, !isWriting { compare(row, found, collection, &checks, actor) }
    }
    answers.removeAll(keepingCapacity: true)
  }

  private mutating func checkViews(_ checks: inout CheckCounts) {
    // A read-write transaction sees views as of the previous commit.
    let snapshot = isWriting ? snapshot - 1 : snapshot
    for (registration, isThere) in views {
      checks.knownAnswers += 1
      if let objection = registration.objection(to: isThere, at: snapshot) {
        violations.report(
          .knownAnswers,
          "the view \"\(registration.settings.name)\" on connection \"\(connection)\" \(objection)"
        )
      }
    }
    views.removeAll(keepingCapacity: true)
  }

  private mutating func compare(
    _ row: Int,
    _ found: Found,
    _ collection: CheckedCollection,
    _ checks: inout CheckCounts,
    _ actor: RunningActor
  ) {
    guard case .value(let value, let half) = found else { return }
    let place = UInt64(collection.number) << 48 | UInt64(row) << 1 | UInt64(half.rawValue)
    let (wasKnown, differing) = memory.compare(place, value.map(Payload.fingerprint) ?? .max)
    if wasKnown { checks.snapshotStability += 1 }
    if differing != nil {
      violations.report(
        .snapshotStability,
        describe(row, found, "differs from the value that was read before in the same snapshot", actor)
      )
    }
  }

  private func describe(_ row: Int, _ found: Found, _ what: String, _ actor: RunningActor) -> String {
    let half =
      switch found {
      case .value(_, .object): "object"
      case .value(_, .metadata): "metadata"
      case .presence: "row"
      }
    return "actor \"\(actor.settings.name)\" on connection \"\(connection)\", snapshot \(snapshot): the "
      + "\(half) of \"\(actor.collection?.name ?? "")\"/\(actor.collection?.keys.key(row) ?? "") \(what)"
  }
}
