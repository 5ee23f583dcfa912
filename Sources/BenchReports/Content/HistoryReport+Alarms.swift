package import BenchResults

extension HistoryReport {
  enum AlarmState: Equatable {
    /// - Parameter returnedAt: the first night at which the figure was back near its earlier level; nil if it is not.
    case open(returnedAt: String?)
    case acknowledged(note: String)
    case improvement
    /// Another build has been pinned since.
    case ended

    var text: String {
      switch self {
      case .open(nil): "open"
      case .open(let time?): "open; the level has returned since \(time)"
      case .acknowledged(let note): "acknowledged: \(note)"
      case .improvement: "improvement"
      case .ended: "of an earlier pinned build"
      }
    }
  }

  /// The share of a change that may remain for its level to have returned.
  private static let remainingShare = 0.25

  /// Alarms of figures that got worse and are not acknowledged, the largest change first. Alarms from before a change
  /// of the pinned build are not open.
  package var openAlarms: [TrendAlarm] {
    alarms.filter { if case .open = state(of: $0) { true } else { false } }.sorted { $0.magnitude > $1.magnitude }
  }

  func state(of alarm: TrendAlarm) -> AlarmState {
    if let known = acknowledgements.first(where: { $0.covers(alarm) }) { return .acknowledged(note: known.note) }
    if alarm.magnitude <= 0 { return .improvement }
    return isOfEarlierPin(alarm) ? .ended : .open(returnedAt: returnTime(of: alarm))
  }

  /// Returns whether another build has been pinned for good. The pinned build is the one that two nights in a row, the
  /// last such nights of the alarm's machine with its settings, compare with. A single night with another build is an
  /// exception, such as a comparison with a release.
  private func isOfEarlierPin(_ alarm: TrendAlarm) -> Bool {
    let first = nights.first(where: alarm.begins)
    // Alarms of earlier versions whose nights have been removed lack these properties, and stay open.
    guard let machine = alarm.machine ?? first?.machine, let reference = alarm.reference ?? first?.reference,
      let settings = alarm.settings ?? first?.settings
    else { return false }
    let references = nights.filter { $0.settings == settings && $0.machine.isSame(as: machine) }.map(\.reference)
    let pinned = zip(references, references.dropFirst()).reversed().first { $0 == $1 }?.0
    return pinned.map { $0 != reference } ?? false
  }

  /// Returns the first night after which the later changes of the same figure in the same series have undone the
  /// alarm's change; nil if the level has not returned.
  private func returnTime(of alarm: TrendAlarm) -> String? {
    guard let own = seriesIndex(of: alarm) else { return nil }
    let later = alarms.filter {
      $0.figure == alarm.figure && $0.firstTime > alarm.firstTime && seriesIndex(of: $0) == own
    }
    var remaining = alarm.magnitude
    var returned: String?
    for change in later.sorted(by: { $0.firstTime < $1.firstTime }) {
      remaining += change.magnitude
      returned = remaining > Self.remainingShare * alarm.magnitude ? nil : returned ?? change.firstTime
    }
    return returned
  }

  /// Returns the index of the series that has the alarm's first night; nil if that night has been removed.
  func seriesIndex(of alarm: TrendAlarm) -> Int? {
    series.firstIndex { $0.nights.contains(where: alarm.begins) }
  }

  /// Returns the change of the alarm's figure itself, such as `-6.12 %` for a throughput.
  func change(_ alarm: TrendAlarm) -> String {
    let figures = nights.lazy.flatMap(\.figures)
    let better = alarm.better ?? figures.first { $0.name == alarm.figure }?.better
    return Quantity.change(percent: PercentInterval.percent(alarm.magnitude, better ?? .lower))
  }

  // MARK: Searched nights

  /// Returns the number of all nights, and of the nights in the added night's series if there are fewer.
  package func text(ofAdded night: Night) -> String {
    let own = series.first { $0.contains(night) }?.nights.count ?? 0
    let text = Quantity.count(nights.count, of: "night")
    return own < nights.count ? "\(text), \(Quantity.count(own)) of them comparable with this one" : text
  }

  /// The number of nights that were searched; if some were not, their number and the reasons, such as `59 of 60 nights
  /// (1 not searched: another file system)`.
  var searchedNights: String {
    let searched = series.filter(\.isSearched)
    let count = searched.reduce(0) { $0 + $1.nights.count }
    guard count < nights.count else { return Quantity.count(count, of: "night") }
    let reasons = series.filter { !$0.isSearched }.flatMap { short in
      // The most similar series, and of several the newest one, is the one that the nights should have belonged to.
      searched.map { short.last.differences(from: $0.last) }.reversed().min { $0.count < $1.count }
        ?? ["fewer than \(TrendAlarm.nightsBefore + TrendAlarm.nightsSince) comparable nights"]
    }
    return "\(Quantity.count(count)) of \(Quantity.count(nights.count, of: "night")) "
      + "(\(Quantity.count(nights.count - count)) not searched: \(reasons.withoutDuplicates.joined(separator: ", ")))"
  }
}
