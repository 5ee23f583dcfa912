/// The figures that a comparison left out of its pairs, because a run had another load or was disturbed.
public struct ExcludedFigures: Codable, Sendable, Equatable {
  public struct Cause: Codable, Sendable, Equatable {
    /// The cause in a few words. Causes that differ only in numbers are one, with the ranges of these numbers.
    public var text: String
    /// The number of pairs with a run that states the cause.
    public var pairs: Int
    /// The number of times that were left out of these pairs; nil if the pairs were left out as a whole.
    public var times: Int?

    public init(_ text: String, pairs: Int, times: Int?) {
      (self.text, self.pairs, self.times) = (text, pairs, times)
    }
  }

  /// The number of pairs that measured times, without those with a failed run.
  public var pairs: Int
  /// The number of these pairs in which no time that decides counts.
  public var unusablePairs: Int
  /// The causes, that of the most pairs first.
  public var causes: [Cause]

  public init(pairs: Int, unusablePairs: Int, causes: [Cause]) {
    (self.pairs, self.unusablePairs, self.causes) = (pairs, unusablePairs, causes)
  }
}
