/// The loads of actors.
extension ScenarioDecoder {
  /// Returns nil for an actor without a load, and after reporting a problem.
  func load(_ actor: MappingReader) -> LoadModel? {
    guard let node = actor.node("load") else { return nil }
    guard node.pairs != nil else {
      let expected = actor.expectation("load")
      func closed(_ text: String) throws(ScalarProblem) -> LoadModel {
        if text == "closed" { return .closed(thinkNanoseconds: 0) }
        let isRate = (try? Scalars.rateOrZero.parse(text)) != nil
        throw ScalarProblem(expected: expected, found: text, because: isRate ? "write {rate: \(text)}" : nil)
      }
      return log.parse(node, expected: expected, by: closed)
    }
    guard let reader = actor.reader("load", ScenarioGrammar.load) else { return nil }
    let kinds = reader.grammar.exactlyOne
    let present = kinds.filter { reader.has($0) }
    guard let kind = present.first, present.count == 1 else {
      if present.isEmpty {
        guard reader.meant.isDisjoint(with: kinds) else { return nil }
        log.report("a load needs one of " + kinds.joined(separator: ", "), at: reader.location)
      } else {
        reader.report(
          "a load is one of " + kinds.joined(separator: ", ")
            + "; found \(quoted(present[0])) and \(quoted(present[1]))",
          at: present[1]
        )
      }
      return nil
    }
    let arrival: ArrivalProcess = reader.word("arrival") ?? .constant
    if kind == "trace", reader.has("arrival") {
      reader.report("the times of a trace are in its file; leave \"arrival\" out", at: "arrival")
    }
    guard kind != "closed" else { return closed(reader) }
    return curve(reader, kind).map { .open(rate: $0, arrival: arrival) }
  }

  private func closed(_ reader: MappingReader) -> LoadModel? {
    if reader.has("arrival") {
      reader.report("a closed load has no \"arrival\": a transaction starts when the previous one ended", at: "arrival")
    }
    if let node = reader.node("closed"), node.pairs == nil {
      let expected = ScenarioGrammar.closedLoad.expectation
      log.report(
        "expected \(expected), found \(node.found); write \"load: closed\" for a load without pauses",
        at: node.location
      )
      return nil
    }
    let closed = reader.reader("closed", ScenarioGrammar.closedLoad)
    return closed?.scalar("think", Scalars.durationOrZero).map { .closed(thinkNanoseconds: $0) }
  }

  private func curve(_ reader: MappingReader, _ kind: String) -> RateCurve? {
    switch kind {
    case "rate": return reader.scalar("rate", Scalars.rate).map { .constant(perSecond: $0) }
    case "ramp":
      guard let ramp = reader.reader("ramp", ScenarioGrammar.ramp) else { return nil }
      let (from, to) = (ramp.scalar("from", Scalars.rate), ramp.scalar("to", Scalars.rate))
      guard let from, let to else { return nil }
      return .ramp(fromPerSecond: from, toPerSecond: to)
    case "stages": return stages(reader)
    case "burst": return burst(reader)
    case "trace":
      func trace(_ name: String) throws(ScalarProblem) -> RateCurve {
        .trace(try files.value(in: name, by: ArrivalTrace.init(text:)))
      }
      return reader.scalar("trace", by: trace)
    default: return sine(reader)
    }
  }

  private func stages(_ reader: MappingReader) -> RateCurve? {
    guard let node = reader.node("stages"),
      let elements = log.elements(of: node, expected: reader.expectation("stages"))
    else { return nil }
    guard elements.count <= RateStages.most else {
      log.report("expected at most \(RateStages.most) stages, found \(elements.count)", at: node.location)
      return nil
    }
    var stages: [RateStages.Stage] = []
    var from = 0.0
    for element in elements {
      guard let stage = MappingReader(element, ScenarioGrammar.stage, log: log) else { continue }
      let start = stage.scalar("from", Scalars.stageRate) ?? from
      guard let to = stage.scalar("to", Scalars.stageRate), let time = stage.scalar("for", Scalars.duration) else {
        continue
      }
      stages.append(.init(fromPerSecond: start, toPerSecond: to, seconds: Double(time) / 1e9))
      from = to
    }
    guard stages.count == elements.count else { return nil }
    let result = RateStages(stages)
    guard result.highestPerSecond > 0 else {
      log.report("all stages have the rate 0, so no transaction would start; give one a higher rate", at: node.location)
      return nil
    }
    return .stages(result)
  }

  private func burst(_ reader: MappingReader) -> RateCurve? {
    guard let burst = reader.reader("burst", ScenarioGrammar.burst) else { return nil }
    let (base, peak) = (burst.scalar("base", Scalars.rate), burst.scalar("peak", Scalars.rate))
    let lastPeak = burst.scalar("lastPeak", Scalars.rate)
    let (every, length) = (burst.scalar("every", Scalars.duration), burst.scalar("for", Scalars.duration))
    if let every, let length, length >= every {
      burst.report("a burst must be shorter than \"every\", the time from one burst to the next", at: "for")
    }
    if let base, let peak, peak < base {
      burst.report("the peak of a burst must not be lower than its base", at: "peak")
    }
    if let base, let lastPeak, lastPeak < base {
      burst.report("the last peak of bursts must not be lower than their base", at: "lastPeak")
    }
    guard let base, let peak, let every, let length else { return nil }
    return .burst(
      BurstRate(
        basePerSecond: base,
        peakPerSecond: peak,
        lastPeakPerSecond: lastPeak,
        everyNanoseconds: every,
        forNanoseconds: length
      )
    )
  }

  private func sine(_ reader: MappingReader) -> RateCurve? {
    guard let sine = reader.reader("sine", ScenarioGrammar.sine) else { return nil }
    let (low, high) = (sine.scalar("low", Scalars.rate), sine.scalar("high", Scalars.rate))
    let period = sine.scalar("period", Scalars.duration)
    if let low, let high, high < low {
      sine.report("the high rate of a sine must not be lower than its low rate", at: "high")
    }
    guard let low, let high, let period else { return nil }
    return .sine(lowPerSecond: low, highPerSecond: high, periodNanoseconds: period)
  }
}
