/// What `PackedIntervals` holds: something of which there are many, second by second.
public protocol PackedInterval: Codable, Sendable {
  static var packing: IntervalPacking<Self> { get }
}

/// How intervals become columns and come back: some texts, any of which may be missing, and some whole numbers.
public struct IntervalPacking<Interval: Sendable>: Sendable {
  struct Text: Sendable {
    let name: String
    let get: @Sendable (Interval) -> String?
  }

  let texts: [Text]
  let figures: [PackedFigure<Interval>]
  /// An interval of such texts, in their order, whose figures are still to be set; nil where there is none of them.
  let make: @Sendable ([String?]) -> Interval?

  /// Of all columns.
  var names: [String] { texts.map(\.name) + figures.map(\.name) }
}

extension IntervalResult: PackedInterval {
  public static var packing: IntervalPacking<Self> {
    IntervalPacking(
      texts: [
        .init(name: "phase", get: \.phase), .init(name: "actor", get: \.actor),
        .init(name: "kind", get: { $0.kind.rawValue }),
      ],
      figures: [
        PackedFigure("startNanoseconds", \.startNanoseconds),
        PackedFigure("endNanoseconds", \.endNanoseconds),
        PackedFigure("count", \.count),
        PackedFigure("p50Nanoseconds", \.p50Nanoseconds),
        PackedFigure("p99Nanoseconds", \.p99Nanoseconds),
        PackedFigure("maximumNanoseconds", \.maximumNanoseconds),
      ]
    ) { texts in
      guard let phase = texts[0], let actor = texts[1], let kind = texts[2].flatMap(TimeKind.init) else { return nil }
      return Self(
        phase: phase,
        actor: actor,
        kind: kind,
        startNanoseconds: 0,
        endNanoseconds: 0,
        count: 0,
        p50Nanoseconds: 0,
        p99Nanoseconds: 0,
        maximumNanoseconds: 0
      )
    }
  }
}

extension WaitIntervalResult: PackedInterval {
  public static var packing: IntervalPacking<Self> {
    IntervalPacking(
      texts: [
        .init(name: "metric", get: \.metric), .init(name: "phase", get: \.phase), .init(name: "actor", get: \.actor),
      ],
      figures: [
        PackedFigure("endNanoseconds", \.endNanoseconds),
        PackedFigure("count", \.count),
        PackedFigure("p50Nanoseconds", \.p50Nanoseconds),
        PackedFigure("p99Nanoseconds", \.p99Nanoseconds),
        PackedFigure("maximumNanoseconds", \.maximumNanoseconds),
      ]
    ) { texts in
      guard let metric = texts[0], let phase = texts[1] else { return nil }
      return Self(metric: metric, phase: phase, actor: texts[2])
    }
  }
}
