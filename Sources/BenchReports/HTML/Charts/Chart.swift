/// A chart as it is meant: panels one above the other over the same axis.
struct Chart {
  /// A span of the axis that is shaded, such as a phase.
  struct Band {
    var name: String
    var start: Double
    var end: Double
    var isFaint: Bool
  }

  /// A row of bars and ticks.
  struct Row {
    var name: String
    var spans: [(start: Double, end: Double)]
    var style: Int
    var isFaint: Bool
    /// Ticks stay visible however short they are.
    var isTicks: Bool
  }

  enum Content {
    case series([ChartSeries], ChartScale)
    case rows([Row])
  }

  struct Panel {
    /// What its axis shows.
    var title: String
    var content: Content
  }

  /// Says in a sentence what is seen; for those who do not see it.
  var description: String
  var scale: ChartScale
  /// Names the axis.
  var axis: String
  var bands: [Band] = []
  var panels: [Panel]
  var isSmall = false
}

extension Chart {
  /// The axis of time from the beginning of a run.
  static func time(to seconds: Double) -> ChartScale {
    ChartScale.linear(to: max(seconds, 0.001), .seconds, room: 1, tickCount: 8)
  }
}
