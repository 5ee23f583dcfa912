/// Identifies a claim by the number of the target and a word, such as `P1.raw`.
public struct ClaimID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 1 for P1.
  public let target: Int
  public let word: String

  public init(_ target: Int, _ word: String) {
    self.target = target
    self.word = word
  }

  public var description: String { "P\(target).\(word)" }

  public static func < (left: ClaimID, right: ClaimID) -> Bool {
    (left.target, left.word) < (right.target, right.word)
  }
}

/// One figure that a target requires.
public struct Claim: Sendable {
  /// The condition under which the figure can be measured.
  public enum Need: Sendable, Equatable {
    case nothing
    /// The package trait `GRDB`.
    case grdb
    /// The package trait `Jemalloc`.
    case jemalloc
    /// A missing feature of the engine, described in a sentence.
    case engine(String)
  }

  public let id: ClaimID
  /// The quotient or count that the figure contains.
  public let what: String
  public let unit: FigureUnit
  /// nil if the figure is reported without a verdict.
  public let limit: Limit?
  public let need: Need

  /// The reason why this build cannot measure the figure; nil if it can.
  public var obstacle: String? {
    switch need {
    case .nothing: nil
    case .grdb: BuildTraits.hasGRDB ? nil : "built without --traits GRDB,Jemalloc"
    case .jemalloc: BuildTraits.hasJemalloc ? nil : "built without jemalloc, which counts memory"
    case .engine(let missing): missing
    }
  }
}

/// The traits with which this program was built.
enum BuildTraits {
  static var hasGRDB: Bool {
    #if GRDB
      true
    #else
      false
    #endif
  }

  static var hasJemalloc: Bool {
    #if Jemalloc
      true
    #else
      false
    #endif
  }
}
