internal import HarnessPrimitives

/// The rule by which an actor's transactions start.
public enum LoadModel: Sendable, Equatable {
  /// A worker starts a transaction a pause after its previous one. The pause in nanoseconds is drawn uniformly from the
  /// range each time. Times are not corrected for coordinated omission.
  case closed(thinkTimes: ClosedRange<UInt64>)
  /// Transactions are due at scheduled times, which do not depend on the engine.
  case open(rate: RateCurve, arrival: ArrivalProcess)

  public static func closed(thinkNanoseconds think: UInt64) -> Self { .closed(thinkTimes: think...think) }

  public var isClosed: Bool {
    if case .closed = self { true } else { false }
  }

  /// Whether the load is a ramp or has stages.
  var changesRate: Bool {
    if case .open(let rate, _) = self { rate.changingRate(at: 0, phaseLength: 1) != nil } else { false }
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

/// Times at which transactions arrive, read from a file. Each line that is not empty and does not begin with `#` has a
/// time such as `12.5ms`, counted from the start of the phase and not earlier than the time before it. The first of
/// these lines may be a header, which begins with a letter.
public struct ArrivalTrace: Sendable, Equatable {
  public let nanoseconds: [UInt64]

  init(text: String) throws(ScalarProblem) {
    var times: [UInt64] = []
    var mayBeHeader = true
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    where !line.isEmpty && line.first != "#" {
      defer { mayBeHeader = false }
      if mayBeHeader, line.first?.isLetter ?? false { continue }
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

// MARK: Keys

extension ScenarioGrammar {
  static let load = Section<LoadModel>(
    "a load",
    blank: .closed(thinkNanoseconds: 0),
    notes: ScenarioNotes.load
  ) {
    closed
    curve("rate", .rate, of: RateCurve.constant) { if case .constant(let rate) = $0 { rate } else { nil } }
      .means("A constant rate of arrivals, which do not wait for the engine; at most 50M/s.")
    curve("ramp", .section(ramp), of: \.curve) {
      if case .ramp(let from, let to) = $0 { RampRate(fromPerSecond: from, toPerSecond: to) } else { nil }
    }
    .means("A rate that changes linearly over the phase.")
    curve("stages", stages, of: RateCurve.stages) { if case .stages(let stages) = $0 { stages } else { nil } }
      .means(
        "A rate that changes linearly in each stage. After the last stage it stays at that stage's `to`. At most "
          + "\(RateStages.most) stages."
      )
    curve("burst", .section(burst), of: RateCurve.burst) { if case .burst(let burst) = $0 { burst } else { nil } }
      .means("A base rate, with a burst at a peak rate at the end of each period.")
    curve("sine", .section(sine), of: \.curve) {
      guard case .sine(let low, let high, let period) = $0 else { return nil }
      return SineRate(lowPerSecond: low, highPerSecond: high, periodNanoseconds: period)
    }
    .means("A rate that oscillates between two values, starting at the lower one.")
    trace
    Key("arrival", .word, in: \.arrival).unless([closed.name, trace.name])
      .means("The spacing of arrivals: even (`constant`), or independent as from many users (`poisson`).")
  } rules: { _, reader in
    if reader.has(trace.name), reader.has(\.arrival) {
      reader.report("the times of a trace are in its file; leave \"arrival\" out", at: \.arrival)
    }
    if reader.has(closed.name), reader.has(\.arrival) {
      reader.report(
        "a closed load has no \"arrival\": a transaction starts when the previous one ended",
        at: \.arrival
      )
    }
  }

  /// Returns the key of an open load with one kind of curve.
  private static func curve<Value: Equatable & Sendable>(
    _ name: String,
    _ form: Form<Value>,
    of make: @escaping @Sendable (Value) -> RateCurve,
    from value: @escaping @Sendable (RateCurve) -> Value?
  ) -> Key<LoadModel> {
    Key(name, form, get: { $0.curve.flatMap(value) }, set: { $0.curve = make($1) }).alternative
  }

  private static let closed = Key<LoadModel>(
    "closed",
    Form(
      kind: .mapping(closedLoad.grammar),
      read: { node, context in
        guard node.pairs != nil else {
          context.log.report(
            "expected \(closedLoad.grammar.expectation), found \(node.found); write \"load: closed\" for a load "
              + "without pauses",
            at: node.location
          )
          return nil
        }
        return closedLoad.read(node, context)?.value
      },
      node: { (think) throws(ScalarProblem) in try closedLoad.node(of: think) }
    ),
    get: { if case .closed(let think) = $0 { think } else { nil } },
    set: { $0 = .closed(thinkTimes: $1) }
  ).alternative
    .means("Each transaction of a worker starts after the end of the previous one.")

  private static let trace = curve(
    "trace",
    Form<ArrivalTrace>(
      kind: .text,
      read: { node, context in
        func trace(_ name: String) throws(ScalarProblem) -> ArrivalTrace {
          try context.files.value(in: name, by: ArrivalTrace.init(text:))
        }
        return context.log.parse(node, expected: ValueKind.text.expectation, by: trace)
      },
      node: { (_) throws(ScalarProblem) in
        throw ScalarProblem("the arrivals were read from a file, whose name is not known")
      }
    ),
    of: RateCurve.trace,
    from: { if case .trace(let trace) = $0 { trace } else { nil } }
  )
  .means(
    "The name of a file in the scenario's folder. Each line is the time of an arrival, such as `12.5ms`, "
      + "counted from the start of the phase and before its end. A line that begins with `#` is a comment, and the "
      + "first other line may be a header such as `time`."
  )

  /// A word, or a mapping with one of the alternatives.
  static let loadForm = Form<LoadModel>(
    kind: .wordOrMapping(["closed"], load.grammar),
    read: { node, context in
      if node.pairs != nil { return load.read(node, context, if: hasOneLoad)?.value }
      let expected = ValueKind.wordOrMapping(["closed"], load.grammar).expectation
      func closed(_ text: String) throws(ScalarProblem) -> LoadModel {
        if text == "closed" { return load.blank }
        let isRate = (try? Scalars.rateOrZero.parse(text)) != nil
        throw ScalarProblem(expected: expected, found: text, because: isRate ? "write {rate: \(text)}" : nil)
      }
      return context.log.parse(node, expected: expected, by: closed)
    },
    node: { (value) throws(ScalarProblem) in value == load.blank ? .text("closed") : try load.node(of: value) }
  )

  /// Reports a load with none or several of the alternatives.
  @Sendable private static func hasOneLoad(_ reader: SectionReader<LoadModel>) -> Bool {
    let kinds = reader.grammar.exactlyOne
    let present = kinds.filter { reader.has($0) }
    if present.count > 1 {
      reader.report(
        "a load is one of " + kinds.joined(separator: ", ")
          + "; found \(quoted(present[0])) and \(quoted(present[1]))",
        at: present[1]
      )
    } else if present.isEmpty, reader.meant.isDisjoint(with: kinds) {
      reader.log.report("a load needs one of " + kinds.joined(separator: ", "), at: reader.location)
    }
    return present.count == 1
  }

  private static let closedLoad = Section<ClosedRange<UInt64>>("a closed load", like: "{think: 5ms}", blank: 0...0) {
    Key("think", Form(Scalars.durations, text: Scalars.text(durations:)), in: \.self).required
      .means("The pause between two transactions of a worker; of a range, it is drawn uniformly each time.")
  }

  private static let ramp = Section("a ramp", blank: RampRate(fromPerSecond: 0, toPerSecond: 0)) {
    Key("from", .stageRate, in: \.fromPerSecond).required.means("The rate at the start of the phase.")
    Key("to", .stageRate, in: \.toPerSecond).required.means("The rate at the planned end of the phase.")
  } rules: { ramp, reader in
    guard reader.isRead(\.fromPerSecond), reader.isRead(\.toPerSecond) else { return }
    guard ramp.fromPerSecond == 0, ramp.toPerSecond == 0 else { return }
    reader.report("a ramp from 0 to 0 starts no transaction; give one end a higher rate", at: \.toPerSecond)
  }

  private static let burst = Section(
    "a burst",
    blank: BurstRate(basePerSecond: 0, peakPerSecond: 0, everyNanoseconds: 0, forNanoseconds: 0)
  ) {
    Key("base", .rate, in: \.basePerSecond).required.means("The rate between bursts.")
    Key("peak", .rate, in: \.bothPeaksPerSecond).required.means("The rate during bursts, not lower than `base`.")
    Key("lastPeak", .rate, in: \.ownLastPeakPerSecond)
      .means(
        "The rate during the last burst of the phase, not lower than `base`. The rate changes by the same amount "
          + "from each burst to the next. By default all bursts have the rate `peak`."
      )
    Key("every", .duration, in: \.everyNanoseconds).required
      .means("The time from the start of one burst to the start of the next.")
    Key("for", .duration, in: \.forNanoseconds).required.means("The duration of a burst, shorter than `every`.")
  } rules: { burst, reader in
    if reader.isRead(\.everyNanoseconds), reader.isRead(\.forNanoseconds),
      burst.forNanoseconds >= burst.everyNanoseconds
    {
      reader.report(
        "a burst must be shorter than \"every\", the time from one burst to the next",
        at: \.forNanoseconds
      )
    }
    guard reader.isRead(\.basePerSecond) else { return }
    if reader.isRead(\.bothPeaksPerSecond), burst.peakPerSecond < burst.basePerSecond {
      reader.report("the peak of a burst must not be lower than its base", at: \.bothPeaksPerSecond)
    }
    if reader.isRead(\.ownLastPeakPerSecond), burst.lastPeakPerSecond < burst.basePerSecond {
      reader.report("the last peak of bursts must not be lower than their base", at: \.ownLastPeakPerSecond)
    }
  }

  private static let sine = Section(
    "a sine",
    blank: SineRate(lowPerSecond: 0, highPerSecond: 0, periodNanoseconds: 0)
  ) {
    Key("low", .rate, in: \.lowPerSecond).required.means("The lowest rate.")
    Key("high", .rate, in: \.highPerSecond).required.means("The highest rate, not lower than `low`.")
    Key("period", .duration, in: \.periodNanoseconds).required.means("The time from one maximum to the next.")
  } rules: { sine, reader in
    guard reader.isRead(\.lowPerSecond), reader.isRead(\.highPerSecond), sine.highPerSecond < sine.lowPerSecond else {
      return
    }
    reader.report("the high rate of a sine must not be lower than its low rate", at: \.highPerSecond)
  }

  // MARK: Stages

  private static let stage = Section(
    "a stage",
    like: "{to: 500/s, for: 10s}",
    blank: WrittenStage(toPerSecond: 0, forNanoseconds: 0)
  ) {
    Key("to", .stageRate, in: \.toPerSecond).required.means("The rate at the end of the stage.")
    Key("for", .duration, in: \.forNanoseconds).required.means("The duration of the stage.")
    Key("from", .stageRate, in: \.fromPerSecond)
      .means("The rate at the start of the stage; by default that at the end of the stage before it, or `0/s`.")
  }

  private static let stages = Form<RateStages>(
    kind: .list(stage.grammar),
    read: { node, context in
      let log = context.log
      guard let elements = log.elements(of: node, expected: ValueKind.list(stage.grammar).expectation) else {
        return nil
      }
      guard elements.count <= RateStages.most else {
        log.report("expected at most \(RateStages.most) stages, found \(elements.count)", at: node.location)
        return nil
      }
      let problemsBefore = log.count
      let stages = RateStages.stages(elements.compactMap { stage.read($0, context)?.value })
      guard log.count == problemsBefore else { return nil }
      let result = RateStages(stages)
      guard result.highestPerSecond > 0 else {
        log.report(
          "all stages have the rate 0, so no transaction would start; give one a higher rate",
          at: node.location
        )
        return nil
      }
      return result
    },
    node: { (value) throws(ScalarProblem) in try stage.list(of: value.written) ?? .list([]) }
  )
}

/// The keys of a ramp.
private struct RampRate: Sendable, Equatable {
  var fromPerSecond: Double
  var toPerSecond: Double

  var curve: RateCurve { .ramp(fromPerSecond: fromPerSecond, toPerSecond: toPerSecond) }
}

/// The keys of a sine.
private struct SineRate: Sendable, Equatable {
  var lowPerSecond: Double
  var highPerSecond: Double
  var periodNanoseconds: UInt64

  var curve: RateCurve {
    .sine(lowPerSecond: lowPerSecond, highPerSecond: highPerSecond, periodNanoseconds: periodNanoseconds)
  }
}

/// The keys of a stage, which begins at the rate at the end of the stage before it if it states none.
private struct WrittenStage: Sendable, Equatable {
  var toPerSecond: Double
  var forNanoseconds: UInt64
  var fromPerSecond: Double?
}

extension RateStages {
  fileprivate static func stages(_ written: [WrittenStage]) -> [Stage] {
    var before = 0.0
    return written.map { stage in
      defer { before = stage.toPerSecond }
      return Stage(
        fromPerSecond: stage.fromPerSecond ?? before,
        toPerSecond: stage.toPerSecond,
        seconds: Double(stage.forNanoseconds) / 1e9
      )
    }
  }

  fileprivate var written: [WrittenStage] {
    var before = 0.0
    return stages.map { stage in
      defer { before = stage.toPerSecond }
      return WrittenStage(
        toPerSecond: stage.toPerSecond,
        forNanoseconds: UInt64(saturating: (stage.seconds * 1e9).rounded()),
        fromPerSecond: stage.fromPerSecond == before ? nil : stage.fromPerSecond
      )
    }
  }
}

extension BurstRate {
  /// The rate of the first burst, which is set for all bursts.
  fileprivate var bothPeaksPerSecond: Double {
    get { peakPerSecond }
    set { (peakPerSecond, lastPeakPerSecond) = (newValue, newValue) }
  }

  /// The rate of the last burst; nil if it is the same as in the others.
  fileprivate var ownLastPeakPerSecond: Double? {
    get { lastPeakPerSecond == peakPerSecond ? nil : lastPeakPerSecond }
    set { lastPeakPerSecond = newValue ?? peakPerSecond }
  }
}

extension LoadModel {
  /// The rate of an open load; nil for a closed one.
  fileprivate var curve: RateCurve? {
    get { if case .open(let rate, _) = self { rate } else { nil } }
    set { if let newValue { self = .open(rate: newValue, arrival: arrival) } }
  }

  /// The spacing of an open load's arrivals.
  fileprivate var arrival: ArrivalProcess {
    get { if case .open(_, let arrival) = self { arrival } else { .constant } }
    set { if case .open(let rate, _) = self { self = .open(rate: rate, arrival: newValue) } }
  }
}
