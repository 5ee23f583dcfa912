extension ScenarioDecoder {
  func load(_ actor: MappingReader) -> LoadModel? {
    guard let node = actor.node("load") else { return nil }
    guard node.pairs != nil else {
      let expected = actor.grammar.key("load")?.kind.expectation ?? "a load"
      return MappingReader.scalar(node, expected: expected, log: log) { (text) throws(ScalarProblem) in
        if text == "closed" { return .closed(thinkNanoseconds: 0) }
        let isRate = (try? RateScalar.parse(text)) != nil
        throw ScalarProblem(expected: expected, found: text, because: isRate ? "write {rate: \(text)}" : nil)
      }
    }
    guard let reader = actor.reader("load", ScenarioGrammar.load) else { return nil }
    let kinds = reader.grammar.exactlyOne
    let present = kinds.filter { reader.has($0) }
    guard let kind = present.first, present.count == 1 else {
      if present.isEmpty {
        log.report("a load needs one of " + kinds.joined(separator: ", "), at: reader.place)
      } else {
        log.report(
          "a load is one of " + kinds.joined(separator: ", ")
            + "; found \(quoted(present[0])) and \(quoted(present[1]))",
          at: reader.keyPlace(present[1])
        )
      }
      return nil
    }
    let arrival: ArrivalProcess = reader.word("arrival") ?? .constant
    if kind == "trace", reader.has("arrival") {
      log.report("a trace has its own times, and no \"arrival\"", at: reader.keyPlace("arrival"))
    }
    guard kind != "closed" else { return closed(reader) }
    return curve(reader, kind).map { .open(rate: $0, arrival: arrival) }
  }

  private func closed(_ reader: MappingReader) -> LoadModel? {
    if reader.has("arrival") {
      log.report(
        "a closed load has no \"arrival\": a transaction starts when the last one has ended",
        at: reader.keyPlace("arrival")
      )
    }
    let closed = reader.reader("closed", ScenarioGrammar.closedLoad)
    return closed?.duration("think").map { .closed(thinkNanoseconds: $0) }
  }

  private func curve(_ reader: MappingReader, _ kind: String) -> RateCurve? {
    switch kind {
    case "rate":
      return reader.rate("rate").map { .constant(perSecond: $0) }
    case "ramp":
      guard let ramp = reader.reader("ramp", ScenarioGrammar.ramp) else { return nil }
      let (from, to) = (ramp.rate("from"), ramp.rate("to"))
      guard let from, let to else { return nil }
      return .ramp(fromPerSecond: from, toPerSecond: to)
    case "burst":
      return burst(reader)
    case "trace":
      return reader.scalar("trace") { (name) throws(ScalarProblem) in
        let text = try files.text(name)
        do throws(ScalarProblem) { return .trace(try ArrivalTrace(text: text)) } catch {
          throw ScalarProblem("\(name): \(error.message)")
        }
      }
    default:
      return sine(reader)
    }
  }

  private func burst(_ reader: MappingReader) -> RateCurve? {
    guard let burst = reader.reader("burst", ScenarioGrammar.burst) else { return nil }
    let (base, peak) = (burst.rate("base"), burst.rate("peak"))
    let (every, length) = (burst.duration("every"), burst.duration("for"))
    if let every, let length, length >= every {
      log.report("a burst must be shorter than \"every\", from one burst to the next", at: burst.keyPlace("for"))
    }
    if let base, let peak, peak < base {
      log.report("the peak of a burst must not be lower than its base", at: burst.keyPlace("peak"))
    }
    guard let base, let peak, let every, let length else { return nil }
    return .burst(basePerSecond: base, peakPerSecond: peak, everyNanoseconds: every, forNanoseconds: length)
  }

  private func sine(_ reader: MappingReader) -> RateCurve? {
    guard let sine = reader.reader("sine", ScenarioGrammar.sine) else { return nil }
    let (low, high, period) = (sine.rate("low"), sine.rate("high"), sine.duration("period"))
    if let low, let high, high < low {
      log.report("the high rate of a sine must not be lower than its low one", at: sine.keyPlace("high"))
    }
    guard let low, let high, let period else { return nil }
    return .sine(lowPerSecond: low, highPerSecond: high, periodNanoseconds: period)
  }
}
