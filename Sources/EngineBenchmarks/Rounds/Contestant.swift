internal import NumericConversion
internal import ThreadingPrimitives

/// A repeatable piece of work that is measured beside others.
struct Contestant {
  /// The number of operations in one round.
  enum Batch: Equatable {
    /// The number of operations that fills the time of a batch; determined before the first round.
    case calibrated
    case fixed(Int)
  }

  let name: String
  let batch: Batch
  /// Performs the given number of operations and returns the figure per operation, in most cases nanoseconds.
  let measure: (Int) throws -> Double

  init(_ name: String, _ batch: Batch = .calibrated, measure: @escaping (Int) throws -> Double) {
    self.name = name
    self.batch = batch
    self.measure = measure
  }

  /// Creates a contestant of which only the body is timed, without the time for which it waited for a core. The answer
  /// is checked after the timing.
  static func timed<Work, Answer>(
    _ name: String,
    _ batch: Batch = .calibrated,
    prepare: @escaping (Int) throws -> Work,
    _ body: @escaping (Work) throws -> Answer,
    check: @escaping (Work, Answer) throws -> Void
  ) -> Contestant {
    Contestant(name, batch) { operations in
      let work = try prepare(operations)
      let (answer, took) = try RunQueue.timed { try body(work) }
      try check(work, answer)
      return Double(took) / Double(operations)
    }
  }

  /// Warms up, and returns the number of operations that takes about `nanoseconds`.
  func calibrated(to nanoseconds: UInt64) throws -> Int {
    if case .fixed(let operations) = batch {
      _ = try measure(operations)
      return operations
    }
    var operations = 1
    while true {
      let begun = MonotonicClock.now
      let figure = try measure(operations)
      // The untimed part counts too; otherwise long preparation of short work would never end.
      let whole = MonotonicClock.now - begun
      let timed = figure * Double(operations)
      if timed >= Double(nanoseconds) / 4 || whole >= nanoseconds * 8 || operations >= 1 << 24 {
        return max(1, min(Int(saturating: Double(nanoseconds) / max(figure, 0.1)), operations * 8))
      }
      operations *= 4
    }
  }
}
