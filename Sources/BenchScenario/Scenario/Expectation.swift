public import BenchResults

/// A figure of a run that an expectation names, such as `stall/import response.p99`, with the variants whose runs have
/// it.
@dynamicMemberLookup
public struct ExpectedFigure: Sendable, Equatable, CustomStringConvertible {
  /// The variants that it belongs to; nil for no restriction.
  public var choice: VariantChoice?
  public var id: FigureID

  public subscript<Value>(dynamicMember property: WritableKeyPath<FigureID, Value>) -> Value {
    get { id[keyPath: property] }
    set { id[keyPath: property] = newValue }
  }

  public var unit: FigureUnit { id.unit }

  /// Whether the figure is one of a variant with these settings.
  public func belongs(to settings: [VariantSetting]) -> Bool { choice?.includes(settings) ?? true }

  /// The figure in the syntax of the scenario, without its variants.
  public var description: String { id.description }
}

/// A bound on a figure, which is checked at the end of the run. An `abort` is also checked at each sample of its phase,
/// on what the phase has measured so far.
public struct Expectation: Sendable, Equatable {
  /// The right side of the comparison.
  public enum Bound: Sendable, Equatable {
    /// In the figure's base unit, or a share from 0 to 1.
    case value(Double)
    /// A figure of the same run, or of the variant that the figure's choice selects, times a factor.
    case figure(ExpectedFigure, factor: Double)
    /// A cost of the machine, measured before the run, times a factor.
    case machine(MachineCosts.Kind, factor: Double)
  }

  /// The text in the scenario.
  public var source: String
  public var isAbort = false
  public var figure: ExpectedFigure
  public var comparison: Comparison
  public var bound: Bound

  /// The figure of another variant with which the expectation compares; nil if it concerns one run alone.
  public var figureOfOtherVariant: ExpectedFigure? {
    if case .figure(let other, _) = bound, other.choice != nil { other } else { nil }
  }

  /// The figures on both sides.
  public var figures: [ExpectedFigure] {
    if case .figure(let other, _) = bound { [figure, other] } else { [figure] }
  }
}
