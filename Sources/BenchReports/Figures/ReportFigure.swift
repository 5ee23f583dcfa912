/// Drawings that belong together, with the text below them. A page contains the drawings, a Markdown report refers to
/// the file.
struct ReportFigure {
  /// Not empty.
  var drawings: [Drawing]
  var caption: ReportText
  /// nil for a figure that only pages have.
  var file: SVGFile?
}

extension ReportFigure {
  /// A figure that only pages have.
  init(charts: [Chart], caption: ReportText) {
    self.init(drawings: charts.map(ChartDrawing.drawing), caption: caption)
  }
}
