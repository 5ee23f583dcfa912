internal import HarnessPrimitives
internal import YapEngine

/// The moment at which one life of the child process ends.
enum KillPlan: Equatable {
  /// This many nanoseconds after the first acknowledged commit.
  case moment(nanoseconds: Int)
  /// At the n-th acknowledged commit.
  case commit(Int)
  /// During the n-th requested checkpoint.
  case checkpoint(Int)
  /// While the database is closed after n commits.
  case closing(after: Int)
  /// While the database is opened.
  case recovery
  /// At the n-th reach of a named point.
  case point(TestPoint, Int)
  /// Never: the database is closed after n commits.
  case none(after: Int)

  /// The points that only a life that closes the database reaches.
  private static let closingPoints: Set<TestPoint> = [.closeBegun, .closeConnectionsEnded, .closeWriterEnded]

  /// Chooses the next plan.
  /// - Parameter point: A point to try if this build has named points.
  static func next(_ random: inout RandomStream, point: TestPoint) -> KillPlan {
    if TestHooks.areBuiltIn, random.below(5) < 2 { return .point(point, 1 + random.below(point.isRare ? 1 : 6)) }
    switch random.below(10) {
    case 0..<3: return .moment(nanoseconds: 2_000_000 + random.below(38_000_000))
    case 3..<5: return .commit(1 + random.below(60))
    case 5..<7: return .checkpoint(1 + random.below(4))
    case 7..<9: return .closing(after: 1 + random.below(40))
    default: return .recovery
    }
  }

  /// The number of commits after which the process closes the database; nil if it does not.
  var closesAfter: Int? {
    switch self {
    case .closing(let after), .none(let after): after
    case .point(let point, _): Self.closingPoints.contains(point) ? 5 : nil
    case .moment, .commit, .checkpoint, .recovery: nil
    }
  }
}

extension TestPoint {
  /// Whether a life may reach the point only once.
  var isRare: Bool {
    switch self {
    case .fileCreated, .closeBegun, .closeConnectionsEnded, .closeWriterEnded, .sweepBegun: true
    default: false
    }
  }
}
