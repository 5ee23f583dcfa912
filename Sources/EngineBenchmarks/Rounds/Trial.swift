package import BenchResults
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// Contestants that are measured side by side.
struct Trial {
  /// The computation of a claim's figure in a round from the contestants' figures in the same round.
  enum Figure {
    case ratio(of: String, to: String)
    case value(of: String)

    static let engine = value(of: ContestantName.engine)
    static let engineToRaw = ratio(of: ContestantName.engine, to: ContestantName.raw)
    static let engineToTable = ratio(of: ContestantName.engine, to: ContestantName.table)
    static let grdbToEngine = ratio(of: ContestantName.grdb, to: ContestantName.engine)
    static let rawToEngine = ratio(of: ContestantName.raw, to: ContestantName.engine)
  }

  let name: String
  let contestants: [Contestant]
  /// The duration and the number of the turns; nil for the runner's.
  var longTurns: LongTurns?
  /// Whether the work waits for the disk, so that the disk is probed in each round.
  var waitsForDisk = false
  /// The unit in which the contestants' own figures are shown.
  var unit = FigureUnit.nanoseconds
}

/// Turns of a trial that are longer than usual, and fewer.
package struct LongTurns: Sendable {
  package var nanoseconds: UInt64
  /// The largest number of rounds. There are fewer if the session has fewer.
  package var mostRounds: Int
}

/// The measurements of a trial.
package struct TrialRecord: Sendable, Codable, Equatable {
  package let trial: String
  package let unit: FigureUnit
  /// The figures of each contestant, one per round.
  package internal(set) var figures: [String: [Double]]
  /// The number of operations asked of each contestant in a turn; ignored by P10's readers, and per writer in P18.
  package internal(set) var operations: [String: Int]
  /// For each round, the share of its time for which the measuring thread waited for a core.
  package internal(set) var queuedShares: [Double]
  /// Nanoseconds of appends with a sync, measured in each round; empty if the work does not wait for the disk.
  package internal(set) var probeNanoseconds: [UInt64]

  /// The median of the probes; nil without probes.
  package var medianProbe: UInt64? {
    probeNanoseconds.isEmpty ? nil : probeNanoseconds.median
  }

  /// The largest permitted quotient of a trial's median append and the session's fast appends.
  static let mostSlowdown = 2.0

  /// Returns the reason to doubt the figures if appends with a sync took longer than in other trials of the session, or
  /// in other rounds of this one: the disk was busy with other work. A disk that is equally busy during the whole
  /// session goes undetected.
  /// - Parameter records: All trials of the session. The smallest of their first quartiles is compared.
  func slowAppends(besides records: [Self]) -> String? {
    let probes = records.map(\.probeNanoseconds).filter { !$0.isEmpty }
    guard let medianProbe, let fast = probes.map({ $0.map { Double($0) }.quantile(0.25) }).min(),
      Double(medianProbe) > Self.mostSlowdown * fast
    else { return nil }
    let texts = [Double(medianProbe), fast].map(FigureUnit.nanoseconds.text)
    return "an append with its sync took \(texts[0]), and \(texts[1]) in other rounds: the disk was busy"
  }

  /// Returns a claim's figure in each round; nil if one of its contestants was not measured.
  func rounds(of figure: Trial.Figure) -> [Double]? {
    switch figure {
    case .value(let name): figures[name]
    case .ratio(let name, let other):
      if let own = figures[name], let others = figures[other] { zip(own, others).map { $0 / $1 } } else { nil }
    }
  }
}

/// A repeatable piece of work that is measured beside others.
struct Contestant {
  /// The number of operations in a turn.
  enum Batch: Equatable {
    /// The number of operations that take about `RoundRunner.batchNanoseconds`; determined before the first round.
    case calibrated
    case fixed(Int)
  }

  let name: String
  let batch: Batch
  /// Performs the given number of operations and returns a figure, in most cases nanoseconds per operation.
  let measure: (Int) throws -> Double

  init(_ name: String, _ batch: Batch = .calibrated, measure: @escaping (Int) throws -> Double) {
    self.name = name
    self.batch = batch
    self.measure = measure
  }

  /// Creates a contestant of which only `body` is timed, without its thread's waits for a core. `check` compares the
  /// answer afterwards. The figure is nanoseconds per operation.
  static func timed<Work, Answer>(
    _ name: String,
    _ batch: Batch = .calibrated,
    prepare: @escaping (Int) throws -> Work,
    body: @escaping (Work) throws -> Answer,
    check: @escaping (Work, Answer) throws -> Void = { _, _ in }
  ) -> Contestant {
    Contestant(name, batch) { operations in
      let work = try prepare(operations)
      let (answer, took) = try RunQueue.timed { try body(work) }
      try check(work, answer)
      return Double(took) / Double(operations)
    }
  }

  /// Warms up, and returns the number of operations in a turn: a fixed one, or about as many as take `nanoseconds`.
  func calibrated(to nanoseconds: UInt64) throws -> Int {
    if case .fixed(let operations) = batch {
      _ = try measure(operations)
      return operations
    }
    var operations = 1
    while true {
      let begun = MonotonicClock.now
      let figure = try measure(operations)
      // The untimed part counts too; otherwise short work with a long preparation would take far too long.
      let whole = MonotonicClock.now - begun
      let timed = figure * Double(operations)
      if timed >= Double(nanoseconds) / 4 || whole >= nanoseconds * 8 || operations >= 1 << 24 {
        return max(1, min(Int(saturating: Double(nanoseconds) / max(figure, 0.1)), operations * 8))
      }
      operations *= 4
    }
  }
}
