/// Tells claims apart: the number of the target and a word, such as `P1.raw`.
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

/// One figure that a target asks for.
public struct Claim: Sendable {
  /// What has to be there for the figure to be taken.
  public enum Need: Sendable, Equatable {
    case nothing
    /// The package trait `GRDB`.
    case grdb
    /// The package trait `Jemalloc`.
    case jemalloc
    /// Something that the engine does not have yet, in a sentence.
    case engine(String)
  }

  public let id: ClaimID
  /// What is divided by what, or what is counted.
  public let what: String
  public let unit: FigureUnit
  /// nil for a figure that is told and not judged.
  public let limit: Limit?
  public let need: Need

  /// Why the figure cannot be taken with this build; nil where it can.
  public var obstacle: String? {
    switch need {
    case .nothing: nil
    case .grdb: BuildTraits.hasGRDB ? nil : "built without --traits GRDB,Jemalloc"
    case .jemalloc: BuildTraits.hasJemalloc ? nil : "built without jemalloc, which counts memory"
    case .engine(let missing): missing
    }
  }
}

/// How this program was built.
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
