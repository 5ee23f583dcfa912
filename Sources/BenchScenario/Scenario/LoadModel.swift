/// The rule by which an actor's transactions start.
public enum LoadModel: Sendable, Equatable {
  /// A worker starts a transaction a pause after its previous one. Times are not corrected for coordinated omission.
  case closed(thinkNanoseconds: UInt64)
  /// Transactions are due at scheduled times, which do not depend on the engine.
  case open(rate: RateCurve, arrival: ArrivalProcess)

  public var isClosed: Bool {
    if case .closed = self { true } else { false }
  }
}

/// The spacing of arrivals at a given rate.
public enum ArrivalProcess: String, CaseIterable, Sendable, ScenarioWord {
  /// Evenly spaced.
  case constant
  /// Random: arrivals are independent of each other, as from many users.
  case poisson

  static let noun = "an arrival process"
}

/// Times at which transactions arrive, read from a file. Each line that is not empty has a time such as `12.5ms`,
/// counted from the start of the phase and not earlier than the time before it.
public struct ArrivalTrace: Sendable, Equatable {
  public let nanoseconds: [UInt64]

  init(text: String) throws(ScalarProblem) {
    var times: [UInt64] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where !line.isEmpty {
      guard let time = try? Scalars.durationOrZero.parse(String(line)) else {
        throw ScalarProblem("line \(index + 1): expected a time such as 12.5ms, found \(quoted(String(line)))")
      }
      guard time >= times.last ?? 0 else {
        throw ScalarProblem("line \(index + 1): \(quoted(String(line))) is earlier than the time on the previous line")
      }
      times.append(time)
    }
    guard !times.isEmpty else { throw ScalarProblem("expected a time such as 12.5ms on each line, found none") }
    nanoseconds = times
  }
}
