internal import HarnessPrimitives

/// A chart: panels one above the other over the same horizontal axis.
struct Chart {
  /// A shaded span of the axis, such as a phase.
  struct Band {
    var name: String
    var start: Double
    var end: Double
    var isFaint = false
  }

  /// A row of bars, with ticks or without.
  struct Row {
    var name: String
    var spans: [(start: Double, end: Double)]
    var style: Int
    var isFaint = false
    /// Whether each span also gets a tick at its start, which stays visible however short the span is.
    var hasTicks = true
  }

  enum Content {
    /// Series, with a map below them if there is one.
    case series([ChartSeries], ChartScale, over: HeatMap? = nil)
    case rows([Row])
  }

  /// A text beside a point.
  struct Note {
    var text: String
    var point: ChartSeries.Point
  }

  struct Panel {
    /// The heading of the panel, which names its vertical axis.
    var title: String
    var content: Content
    var note: Note?
  }

  /// A sentence for readers who do not see the chart.
  var description: String
  var scale: ChartScale
  /// The name of the horizontal axis, which is drawn below the axis.
  var axis: String
  var bands: [Band] = []
  var panels: [Panel]
  var isSmall = false
}

extension Chart {
  /// A chart with one panel.
  /// - Parameters:
  ///   - title: The heading of the panel.
  ///   - vertical: The scale of the series' values.
  init(
    description: String,
    scale: ChartScale,
    axis: String,
    bands: [Band] = [],
    title: String,
    series: [ChartSeries],
    vertical: ChartScale,
    isSmall: Bool = false
  ) {
    let panel = Panel(title: title, content: .series(series, vertical))
    self.init(description: description, scale: scale, axis: axis, bands: bands, panels: [panel], isSmall: isSmall)
  }
}

/// A line, an area or dots in a chart.
struct ChartSeries {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }

  enum Shape {
    case line
    /// From the line down to the axis.
    case area
    case dots
  }

  /// The dash pattern of a line, so that lines differ without colour.
  enum Dash: String {
    case solid, dashed, dotted
  }

  var name: String
  /// Selects the colour, the fill pattern of an area, and the mark.
  var style: Int
  var shape = Shape.line
  var dash = Dash.solid
  var points: [Point]
  /// The largest distance in x that the line bridges; nothing was measured in a longer one. nil bridges every distance.
  var breaksAfter: Double?
  /// Whether a few points of a line have marks.
  var hasMarks = true
  /// Whether a page hides the series until the reader selects it in the legend. Without a script it is shown.
  var isHiddenAtFirst = false

  /// Returns the series with the lowest and the highest point of each column of pixels, so that no peak is lost.
  /// Returns it unchanged if it has at most `2 * columns` points.
  /// - Parameters:
  ///   - columns: the number of columns.
  ///   - range: the part of the axis that the columns show.
  func thinned(columns: Int, range: ClosedRange<Double>) -> ChartSeries {
    guard points.count > 2 * columns else { return self }
    let length = range.upperBound - range.lowerBound
    var kept: [Point] = []
    var column = -1
    var (lowest, highest) = (0, 0)
    func keep() {
      kept.append(points[min(lowest, highest)])
      if lowest != highest { kept.append(points[max(lowest, highest)]) }
    }
    for (index, point) in points.enumerated() {
      let own = Int(saturating: (point.x - range.lowerBound) / length * Double(columns))
      if own != column {
        if column >= 0 { keep() }
        (column, lowest, highest) = (own, index, index)
      } else {
        if point.y < points[lowest].y { lowest = index }
        if point.y > points[highest].y { highest = index }
      }
    }
    keep()
    var thinned = self
    thinned.points = kept
    // Kept points of adjacent columns may be up to two columns apart, which is no gap.
    thinned.breaksAfter = breaksAfter.map { max($0, 3 * length / Double(columns)) }
    return thinned
  }
}
