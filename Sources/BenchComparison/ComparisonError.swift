/// An error that prevents a comparison from starting, continuing or resuming.
public struct ComparisonError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable {
    /// The arms or the options do not fit together.
    case usage
    /// A file, program or revision that is needed is missing, or cannot be read.
    case missing
    /// The folder for the output, or the journal in it, cannot be used.
    case output
    /// A program that had to succeed has failed.
    case failure
    /// A program was ended by a signal.
    case crash
  }

  public let kind: Kind
  /// The problem and its remedy.
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
