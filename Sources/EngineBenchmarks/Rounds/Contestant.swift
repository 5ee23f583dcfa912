internal import NumericConversion
internal import ThreadingPrimitives

/// Somebody who does a piece of work again and again, beside others who do the same.
struct Contestant {
  /// How much is done in one round.
  enum Batch: Equatable {
    /// As many operations as fill the time of a batch; found out before the first round.
    case calibrated
    case fixed(Int)
  }

  let name: String
  let batch: Batch
  /// Does so many operations and returns the figure of one of them: mostly nanoseconds.
  let measure: (Int) throws -> Double

  init(_ name: String, _ batch: Batch = .calibrated, measure: @escaping (Int) throws -> Double) {
    self.name = name
    self.batch = batch
    self.measure = measure
  }

  /// One whose body alone is timed, without the time for which it waited for a core. Its answer is checked afterwards.
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

  /// Warms up, and finds the number of operations that takes about `nanoseconds`.
  func calibrated(to nanoseconds: UInt64) throws -> Int {
    if case .fixed(let operations) = batch {
      _ = try measure(operations)
      return operations
    }
    var operations = 1
    while true {
      let begun = MonotonicClock.now
      let figure = try measure(operations)
      // What is not timed counts as well, or preparing much for little would take for ever.
      let whole = MonotonicClock.now - begun
      let timed = figure * Double(operations)
      if timed >= Double(nanoseconds) / 4 || whole >= nanoseconds * 8 || operations >= 1 << 24 {
        return max(1, min(Int(saturating: Double(nanoseconds) / max(figure, 0.1)), operations * 8))
      }
      operations *= 4
    }
  }
}
