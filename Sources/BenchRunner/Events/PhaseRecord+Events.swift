internal import BenchModel
internal import LatencyMetrics

/// The durations of events, in the form of those of operations.
extension PhaseRecord {
  var eventTimes: [OperationResult] {
    let words = events.reduce(into: [String]()) { if !$0.contains($1.word) { $0.append($1.word) } }
    return words.map { word in
      let times = TimeKind.allCases.map { ($0, histogram($0, of: word)) }
      return OperationResult(name: word, times: Dictionary(uniqueKeysWithValues: times))
    }
  }

  func valueOfEvents(_ expectation: Expectation) -> Double? {
    guard let word = expectation.scope.operation else { return nil }
    switch expectation.metric {
    case .wait: return Self.aggregate(histogram(.wait, of: word), expectation.aggregate)
    case .service: return Self.aggregate(histogram(.service, of: word), expectation.aggregate)
    case .response: return Self.aggregate(histogram(.response, of: word), expectation.aggregate)
    default: return nil  // the loader refuses the others
    }
  }

  /// Includes events that have ended by failing, because they took their time too.
  private func histogram(_ kind: TimeKind, of word: String) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: digits)
    for event in events where event.word == word {
      guard let begun = event.begunNanoseconds, let ended = event.endedNanoseconds else { continue }
      switch kind {
      case .wait: histogram.record(begun - min(event.dueNanoseconds, begun))
      case .service: histogram.record(ended - min(begun, ended))
      case .response: histogram.record(ended - min(event.dueNanoseconds, ended))
      }
    }
    return histogram
  }
}
