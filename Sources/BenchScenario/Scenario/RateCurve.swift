/// The arrivals per second in the course of a phase. Every rate is above 0, except in stages and at an end of a ramp.
public enum RateCurve: Sendable, Equatable {
  case constant(perSecond: Double)
  /// A rate that changes linearly over the whole phase.
  case ramp(fromPerSecond: Double, toPerSecond: Double)
  /// A rate that changes linearly from one time of the phase to the next.
  case stages(RateStages)
  case burst(BurstRate)
  case sine(lowPerSecond: Double, highPerSecond: Double, periodNanoseconds: UInt64)
  /// The times of a file.
  case trace(ArrivalTrace)

  /// The most arrivals per second that a scenario may request for one actor, and for all actors of a phase together:
  /// about the number that one thread can draw if it does nothing else.
  public static let greatestPerSecond = 50_000_000

  /// The highest rate in the phase; 0 for the times of a file.
  public var highestPerSecond: Double {
    switch self {
    case .constant(let rate): rate
    case .ramp(let from, let to): max(from, to)
    case .stages(let stages): stages.highestPerSecond
    case .burst(let burst): max(burst.basePerSecond, burst.peakPerSecond, burst.lastPeakPerSecond)
    case .sine(let low, let high, _): max(low, high)
    case .trace: 0
    }
  }

  /// Returns the rate of a ramp or of stages at a time of the phase; nil for any other curve.
  /// - Parameters:
  ///   - seconds: The time since the phase began.
  ///   - length: The planned length of the phase in seconds.
  public func changingRate(at seconds: Double, phaseLength length: Double) -> Double? {
    switch self {
    case .ramp(let from, let to): from + (to - from) * min(seconds / length, 1)
    case .stages(let stages): stages.rate(at: seconds)
    case .constant, .burst, .sine, .trace: nil
    }
  }

  /// Whether the rate at a time depends on the planned length of the phase.
  var dependsOnPhaseLength: Bool {
    switch self {
    case .ramp: true
    case .burst(let burst): burst.lastPeakPerSecond != burst.peakPerSecond
    case .constant, .stages, .sine, .trace: false
    }
  }
}

/// A base rate, with a burst at a peak rate at the end of each period. The peak changes by the same amount from each
/// burst of the phase to the next.
public struct BurstRate: Sendable, Equatable {
  public var basePerSecond: Double
  /// The rate of the first burst.
  public var peakPerSecond: Double
  /// The rate of the last burst that begins in the phase, and of any later one.
  public var lastPeakPerSecond: Double
  public var everyNanoseconds: UInt64
  public var forNanoseconds: UInt64

  /// - Parameter lastPeakPerSecond: The rate of the last burst; nil if all bursts have the same rate.
  public init(
    basePerSecond: Double,
    peakPerSecond: Double,
    lastPeakPerSecond: Double? = nil,
    everyNanoseconds: UInt64,
    forNanoseconds: UInt64
  ) {
    self.basePerSecond = basePerSecond
    self.peakPerSecond = peakPerSecond
    self.lastPeakPerSecond = lastPeakPerSecond ?? peakPerSecond
    self.everyNanoseconds = everyNanoseconds
    self.forNanoseconds = forNanoseconds
  }

  public var periodSeconds: Double { Double(everyNanoseconds) / 1e9 }
  public var burstSeconds: Double { Double(forNanoseconds) / 1e9 }
  /// The time of a period before its burst.
  public var calmSeconds: Double { periodSeconds - burstSeconds }

  /// The number of bursts that begin in a phase of this length, in seconds.
  public func count(inPhaseOf seconds: Double) -> Double {
    max(((seconds - calmSeconds) / periodSeconds).rounded(.up), 0)
  }

  /// The rate of a burst, counted from 0, of a phase with `count` bursts.
  public func peakPerSecond(of burst: Double, count: Double) -> Double {
    guard count > 1 else { return peakPerSecond }
    return peakPerSecond + (lastPeakPerSecond - peakPerSecond) * min(burst / (count - 1), 1)
  }
}

/// Stages, in each of which the rate changes linearly. After the last one the rate stays.
public struct RateStages: Sendable, Equatable {
  public struct Stage: Sendable, Equatable {
    public let fromPerSecond: Double
    public let toPerSecond: Double
    public let seconds: Double
    /// The time from the start of the phase to the start of the stage, in seconds.
    public fileprivate(set) var startSeconds = 0.0
    /// The number of arrivals that are due before the stage.
    public fileprivate(set) var arrivalsBefore = 0.0

    public init(fromPerSecond: Double, toPerSecond: Double, seconds: Double) {
      self.fromPerSecond = fromPerSecond
      self.toPerSecond = toPerSecond
      self.seconds = seconds
    }

    public var endSeconds: Double { startSeconds + seconds }
    /// The number of arrivals that are due by the end of the stage.
    public var arrivalsAtEnd: Double { arrivalsBefore + (fromPerSecond + toPerSecond) / 2 * seconds }
    /// The change of the rate in a second.
    public var slope: Double { (toPerSecond - fromPerSecond) / seconds }
  }

  /// The most stages of a load; more are a typing error.
  static let most = 100

  /// Never empty.
  public let stages: [Stage]

  /// - Parameter stages: At least one stage, each of more than 0 s.
  public init(_ stages: [Stage]) {
    var placed: [Stage] = []
    for var stage in stages {
      stage.startSeconds = placed.last?.endSeconds ?? 0
      stage.arrivalsBefore = placed.last?.arrivalsAtEnd ?? 0
      placed.append(stage)
    }
    self.stages = placed
  }

  public var last: Stage { stages[stages.count - 1] }

  var highestPerSecond: Double { stages.map { max($0.fromPerSecond, $0.toPerSecond) }.max() ?? 0 }

  /// The rate at a time of the phase, in seconds.
  func rate(at time: Double) -> Double {
    let stage = stages.last { $0.startSeconds <= time } ?? stages[0]
    return stage.fromPerSecond + stage.slope * min(time - stage.startSeconds, stage.seconds)
  }

  /// The highest rate between two times of the phase, in seconds.
  public func highestPerSecond(from start: Double, to end: Double) -> Double {
    let rates = stages.filter { $0.startSeconds < end && $0.endSeconds > start }.flatMap { stage in
      [start, end].map { time in
        let within = min(max(time - stage.startSeconds, 0), stage.seconds)
        return stage.fromPerSecond + stage.slope * within
      }
    }
    return (rates + (end > last.endSeconds ? [last.toPerSecond] : [])).max() ?? 0
  }

  /// Returns the stages with the same rates in `share` of the time.
  func scaled(by share: Double) -> Self {
    Self(
      stages.map {
        Stage(fromPerSecond: $0.fromPerSecond, toPerSecond: $0.toPerSecond, seconds: $0.seconds * share)
      }
    )
  }
}
