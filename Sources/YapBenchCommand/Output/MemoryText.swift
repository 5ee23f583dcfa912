internal import BenchModel
internal import BenchReports
internal import BenchRunner

/// The memory that a scenario needs, in words.
enum MemoryText {
  /// Such as `about 61.2 MiB of memory`.
  static func text(of estimate: MemoryEstimate) -> String { "about \(Quantity.bytes(estimate.bytes)) of memory" }

  /// Why the scenario cannot run here; nil where it fits, or where the system does not say what is available.
  static func refusal(_ estimate: MemoryEstimate, _ available: AvailableMemory?) -> String? {
    guard let available, estimate.bytes > available.bytes else { return nil }
    let limit =
      switch available.source {
      case .machine: "this machine has \(Quantity.bytes(available.bytes)) available"
      case .controlGroup(let limit):
        "the control group's limit of \(Quantity.bytes(limit)) leaves \(Quantity.bytes(available.bytes))"
      }
    let needed = estimate.parts.filter { $0.bytes > 0 }
    let parts = needed.map { "\($0.name) \(Quantity.bytes($0.bytes))" }.joined(separator: ", ")
    let remedy = needed.lazy.compactMap(\.remedy).first.map { "; \($0)" } ?? ""
    return "the scenario needs about \(Quantity.bytes(estimate.bytes)) of memory beside the dataset's files "
      + "(\(parts)), and \(limit)\(remedy)"
  }
}
