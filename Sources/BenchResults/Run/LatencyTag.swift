internal import Foundation

/// The tag of a line of `latency.hlog`: `phase/actor/operation/kind` as one word.
///
/// The variant comes first if the scenario has a matrix, then the repetition if there are several:
/// `policy=share/2/stall/import/set/service`. Characters that could end the word or a part of it are percent-encoded,
/// such as `%2C`, so different names have different tags.
public struct LatencyTag: Sendable {
  /// The variant and the repetition, each with a slash after it; empty if the tag has neither.
  private let run: String

  /// - Parameters:
  ///   - variant: nil for a scenario without a matrix.
  ///   - repetition: nil if the variant has only one.
  public init(variant: String?, repetition: Int?) {
    run = (variant.map { Self.inert($0) + "/" } ?? "") + (repetition.map { "\($0)/" } ?? "")
  }

  public func text(phase: String, actor: String, operation: String, kind: TimeKind) -> String {
    run + [phase, actor, operation, kind.rawValue].map(Self.inert).joined(separator: "/")
  }

  public func text(of latency: Latency) -> String {
    text(phase: latency.phase.name, actor: latency.actor, operation: latency.operation, kind: latency.kind)
  }

  /// Returns the text with all characters percent-encoded except ASCII letters, digits and `-._=()`.
  public static func inert(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: harmless) ?? ""
  }

  /// The characters that stay as they are if they are ASCII.
  private static let harmless = CharacterSet(charactersIn: "-._=()").union(.alphanumerics)
}

extension ScenarioResult {
  public func tag(of run: RunResult) -> LatencyTag {
    LatencyTag(variant: run.variant, repetition: isRepeated(run) ? run.repetition : nil)
  }
}
