/// When the next transaction of an actor starts.
public enum LoadModel: Sendable, Equatable {
  /// When the last one has ended, after a pause. Its response times are not corrected for coordinated omission.
  case closed(thinkNanoseconds: UInt64)
  /// By a schedule that does not wait for the engine.
  case open(rate: RateCurve, arrival: ArrivalProcess)

  public var isClosed: Bool {
    if case .closed = self { true } else { false }
  }
}

/// How many transactions a second arrive, over the time of a phase. Every rate is above 0.
public enum RateCurve: Sendable, Equatable {
  case constant(perSecond: Double)
  /// From one rate to the other in a straight line over the whole phase.
  case ramp(fromPerSecond: Double, toPerSecond: Double)
  /// The base rate, and every so often the peak rate for a while.
  case burst(basePerSecond: Double, peakPerSecond: Double, everyNanoseconds: UInt64, forNanoseconds: UInt64)
  case sine(lowPerSecond: Double, highPerSecond: Double, periodNanoseconds: UInt64)
  /// At the times of a file.
  case trace(ArrivalTrace)

  /// The most arrivals a second that a scenario may ask for, of one actor and of all actors of a phase together: a
  /// thread that does nothing but draw arrival times draws about as many.
  public static let greatestPerSecond = 50_000_000

  /// The highest rate, whenever that is; 0 for the times of a file.
  public var highestPerSecond: Double {
    switch self {
    case .constant(let rate): rate
    case .ramp(let from, let to): max(from, to)
    case .burst(let base, let peak, _, _): max(base, peak)
    case .sine(let low, let high, _): max(low, high)
    case .trace: 0
    }
  }
}

/// How arrivals are spread around the rate.
public enum ArrivalProcess: String, CaseIterable, Sendable, ScenarioWord {
  /// Evenly.
  case constant
  /// Independently of each other, as from many users.
  case poisson

  static let noun = "an arrival process"
}
