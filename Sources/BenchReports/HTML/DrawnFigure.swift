/// Charts of a page that belong together, and what is said below them.
struct DrawnFigure {
  var charts: [Chart]
  /// Drawings that have neither axis of numbers nor points: they stand as they are.
  var drawings: [String] = []
  var caption: ReportText

  /// nil where there is nothing to draw.
  static func drawn(_ figure: ReportFigure) -> DrawnFigure? {
    switch figure {
    case .timeline(let result): TimelineFigure.figure(result)
    case .latencyCurves(let result): LatencyCurvesFigure.figure(result)
    case .blame(let result): BlameFigure.figure(result)
    case .caches(let result): CacheFigure.figure(result)
    case .recovery(let result): RecoveryFigure.figure(result)
    case .variants(let comparison): VariantsFigure.figure(comparison)
    case .variantCurves(let result): LatencyCurvesFigure.figure(result)
    case .changes(let figures): ChangesFigure.figure(figures)
    case .pairs(let figures): PairsFigure.figure(figures)
    case .trend(let picture): TrendFigure.figure(picture)
    case .comparedCurves(let curves): ComparedCurvesFigure.figure(curves)
    }
  }
}
