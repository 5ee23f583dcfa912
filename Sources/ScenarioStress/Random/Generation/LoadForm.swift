internal import BenchScenario

/// A load without its rates and times. Loads from files are not drawn.
enum LoadForm: CaseIterable {
  case closed, thinking, constant, ramp, stages, burst, sine

  /// Whether the load fits a phase that ends after a number of operations, whose length is not known.
  var fitsUnknownLength: Bool {
    switch self {
    case .closed, .thinking, .constant, .stages, .burst, .sine: true
    case .ramp: false
    }
  }
}

extension ScenarioGenerator {
  /// - Parameter isSlow: whether the rate must be limited, because the room for inserts is.
  mutating func load(isSlow: Bool) -> LoadModel {
    let forms = LoadForm.allCases.filter { form in
      (!countsOperations || form.fitsUnknownLength) && !(isSlow && [.closed, .thinking].contains(form))
    }
    // Workers that do not pause meet most often.
    let form = !isSlow && random.chance(40) ? .closed : random.pick(forms)
    let (low, high) = (Double(random.number(in: 20...300)), Double(random.number(in: 300...2_000)))
    let arrival = random.pick(ArrivalProcess.allCases)
    switch form {
    case .closed: return .closed(thinkNanoseconds: 0)
    case .thinking: return .closed(thinkTimes: 1_000_000...random.milliseconds(in: 1...5))
    case .constant: return .open(rate: .constant(perSecond: high), arrival: arrival)
    case .ramp: return .open(rate: .ramp(fromPerSecond: low, toPerSecond: high), arrival: arrival)
    case .stages:
      let stages = RateStages([
        .init(fromPerSecond: 0, toPerSecond: high, seconds: 0.05),
        .init(fromPerSecond: low, toPerSecond: high, seconds: 0.05),
      ])
      return .open(rate: .stages(stages), arrival: arrival)
    case .burst:
      let burst = BurstRate(
        basePerSecond: low,
        peakPerSecond: high,
        lastPeakPerSecond: countsOperations ? nil : random.pick([nil, 2 * high]),
        everyNanoseconds: random.milliseconds(in: 30...100),
        forNanoseconds: random.milliseconds(in: 5...20)
      )
      return .open(rate: .burst(burst), arrival: arrival)
    case .sine:
      let period = random.milliseconds(in: 20...200)
      return .open(rate: .sine(lowPerSecond: low, highPerSecond: high, periodNanoseconds: period), arrival: arrival)
    }
  }
}
