internal import BenchDrivers
package import BenchResults
internal import BenchRunner
internal import BenchScenario

/// The name of a target, such as P1 or D1.
package enum TargetName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// A target of the engine: P and the number.
  case engine(Int)
  /// A target of one of the harness's drivers: D and the number.
  case driver(Int)
  /// A target of the harness itself: H and the number.
  case harness(Int)

  package var description: String {
    switch self {
    case .engine(let number): "P\(number)"
    case .driver(let number): "D\(number)"
    case .harness(let number): "H\(number)"
    }
  }
}

/// Identifies a claim by the target and a word, such as `P1.raw`.
package struct ClaimID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let target: TargetName
  package let word: String

  init(_ target: TargetName, _ word: String) {
    self.target = target
    self.word = word
  }

  /// The claim about the instructions of an operation, which are counted and not measured in rounds.
  static func instructions(_ target: TargetName) -> ClaimID { ClaimID(target, "instructions") }

  /// Creates the name of a claim of the engine.
  package init(_ number: Int, _ word: String) { self.init(.engine(number), word) }

  package var description: String { "\(target).\(word)" }

  package static func < (left: ClaimID, right: ClaimID) -> Bool {
    (left.target, left.word) < (right.target, right.word)
  }
}

/// One figure of a target, and the limit that the target sets for it, if any.
package struct Claim: Sendable {
  /// The condition under which the figure can be measured.
  package enum Need: Sendable, Equatable {
    case nothing
    /// The package trait `GRDB`.
    case grdb
    /// The package trait `Jemalloc`.
    case jemalloc
    /// A driver that this build does not have. The text is the reason that reports show.
    case driver(String)
    /// A program that performs runs. One with test points refuses them.
    case runs
  }

  package let id: ClaimID
  /// The description of the figure that reports show, such as `empty read: engine / raw`.
  package let what: String
  package let unit: FigureUnit
  /// nil if every value of the figure is acceptable; the verdict is then `noLimit`.
  package let limit: Limit?
  package let need: Need
  /// The number of operations whose instructions `bench --instructions` counts for the figure; nil for a figure that is
  /// measured in rounds.
  package var countedOperations: Int?

  /// The reason why this build cannot measure the figure; nil if it can.
  package var obstacle: String? {
    switch need {
    case .nothing: nil
    case .grdb: Drivers.missing(.grdb) == nil ? nil : "built without --traits GRDB,Jemalloc"
    case .jemalloc: BuildTraits.hasJemalloc ? nil : "built without jemalloc, which counts memory"
    case .driver(let missing): missing
    case .runs: DriverBuild.hasTestPoints ? "built with test points, for which runs are refused" : nil
    }
  }
}

/// The figures of jemalloc, and whether this program was built with it.
enum BuildTraits {
  static let hasJemalloc = ProcessFigures.allocatedBytes() != nil

  /// The bytes that the process has allocated, according to jemalloc; 0 without it.
  static var allocatedBytes: Int { ProcessFigures.allocatedBytes() ?? 0 }

  /// Returns the bytes that the process has allocated since `before`, for each of `count` objects; nil without
  /// jemalloc. Other memory may have been freed, and a logarithmic axis has no place for 0, so all objects have at
  /// least 1 byte.
  static func memory(since before: Int, of count: Int) -> Double? {
    hasJemalloc ? max(Double(allocatedBytes - before), 1) / Double(count) : nil
  }
}

/// The limit of a figure for its claim to hold. A figure equal to the limit is within it.
package enum Limit: Sendable, Equatable {
  case atMost(Double)
  case atLeast(Double)

  package func holds(_ figure: Double) -> Bool {
    switch self {
    case .atMost(let most): figure <= most
    case .atLeast(let least): figure >= least
    }
  }
}

/// The outcome of a claim.
package struct Verdict: Sendable, Equatable {
  /// The raw value is the word in reports.
  package enum Kind: String, Sendable, CaseIterable {
    case passed
    case missed
    /// The figure is meaningless, or one of its contestants was not measured.
    case noResult = "no result"
    /// This build cannot measure the figure.
    case notBuilt = "not built"
    /// The figure was measured and has no limit.
    case noLimit = "no limit"
    /// The claim was requested, but the session was interrupted before its trial had ended.
    case interrupted
  }

  package let kind: Kind
  /// Stated for `noResult` and `notBuilt`.
  package var reason: String?

  package static let passed = Self(kind: .passed)
  package static let missed = Self(kind: .missed)
  package static let noLimit = Self(kind: .noLimit)
  package static let interrupted = Self(kind: .interrupted)
  static func noResult(_ reason: String) -> Self { Self(kind: .noResult, reason: reason) }
  static func notBuilt(_ reason: String) -> Self { Self(kind: .notBuilt, reason: reason) }

  package var word: String { kind.rawValue }
}

extension Claim {
  /// - Parameter median: The median of the rounds; nil if nothing was measured.
  func verdict(median: Double?) -> Verdict {
    if let obstacle { return .notBuilt(obstacle) }
    guard let median else { return .interrupted }
    guard median.isFinite else {
      return .noResult("the figure is not a number: a contestant of its ratio took no time")
    }
    guard let limit else { return .noLimit }
    return limit.holds(median) ? .passed : .missed
  }
}
