internal import BenchModel

/// A drawing that a format makes by itself, from what it is made of.
enum ReportFigure {
  /// WAL, events, holders, checkpoints and latencies over time.
  case timeline(RunResult)
  /// Percentiles on an axis that stretches the tail.
  case latencyCurves(RunResult)
  /// What kept the WAL, over time.
  case blame(RunResult)
  case caches(RunResult)
  /// How long it took to open the database again, over the size of its WAL.
  case recovery(RunResult)
  case variants(VariantComparison)
  /// Percentile curves of all variants, for each actor.
  case variantCurves(ScenarioResult)
  /// The change of each figure, with its interval and its margin.
  case changes([FigureResult])
  /// The change of each figure in each pair.
  case pairs([FigureResult])
  /// Percentile curves of both arms, for each workload.
  case comparedCurves([ComparedCurve])
  /// Figures against the pinned build, night by night.
  case trend(TrendPicture)
}
