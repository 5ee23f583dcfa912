internal import BenchResults

/// The WAL of several variants over one axis of time: the first valid run of each.
enum VariantTimelinesChart {
  /// - Returns: nil with one variant, or if no run has sampled its storage.
  static func drawings(_ result: ScenarioResult) -> ReportDrawings? {
    guard result.variants.count > 1 else { return nil }
    let shown = result.variants.prefix(ChartStyle.count).compactMap { variant in
      result.runsWithFigures(of: variant).first.map { (label: variant.label, timeline: RunTimeline($0), run: $0) }
    }
    let series = shown.enumerated().compactMap { index, variant -> ChartSeries? in
      let size = variant.timeline.walSize
      let points = size.isEmpty ? variant.timeline.storageSize : size
      guard !points.isEmpty else { return nil }
      return ChartSeries(name: InertText.shortened(variant.label, to: 24), style: index, points: points)
    }
    guard series.count > 1, let longest = shown.max(by: { $0.run.endNanoseconds < $1.run.endNanoseconds }) else {
      return nil
    }
    let subject =
      Set(shown.map(\.timeline.storageSubject)).count == 1 ? shown[0].timeline.storageSubject : "WAL or files"
    let chart = Chart(
      description: "\(subject) size of the variants over time",
      scale: longest.timeline.scale,
      axis: RunTimeline.axis,
      bands: longest.timeline.bands,
      title: subject,
      series: series,
      vertical: .linear(to: series.flatMap(\.points).map(\.y).max() ?? 0, .bytes)
    )
    let caption: ReportText =
      "The first valid run of each variant. Shaded bands are the phases of the longest run; other runs may end earlier."
    return ReportDrawings(
      charts: [chart],
      caption: caption + .more(result.variants.count - shown.count, "are not drawn")
    )
  }
}
