/// Costs of the machine, measured just before a run, in nanoseconds. Limits of expectations may be multiples of them,
/// so that they mean the same on a fast and on a slow machine.
public struct MachineCosts: Codable, Sendable, Equatable {
  /// A cost, as an expectation names it after `machine.`.
  public enum Kind: String, CaseIterable, Sendable {
    case sync, write, copy, wakeup, clock

    /// The meaning, for the reference and the reports.
    public var meaning: String {
      switch self {
      case .sync: "a sync of 4 KiB that were appended to a file in the database's folder"
      case .write: "a write of 4 KiB at the end of a file in the database's folder"
      case .copy: "a copy of 4 KiB in memory"
      case .wakeup: "the time from one thread's signal until another thread runs"
      case .clock: "one reading of the clock"
      }
    }
  }

  /// nil if the file could not be written, and in a file system in memory.
  public var syncNanoseconds: Double?
  /// nil if the file could not be written.
  public var writeNanoseconds: Double?
  public var copyNanoseconds: Double
  /// nil if no thread could be started.
  public var wakeupNanoseconds: Double?
  public var clockNanoseconds: Double

  public init(sync: Double?, write: Double?, copy: Double, wakeup: Double?, clock: Double) {
    (syncNanoseconds, writeNanoseconds) = (sync, write)
    (copyNanoseconds, wakeupNanoseconds, clockNanoseconds) = (copy, wakeup, clock)
  }

  /// Returns a cost in nanoseconds; nil if it was not measured.
  public subscript(kind: Kind) -> Double? {
    switch kind {
    case .sync: syncNanoseconds
    case .write: writeNanoseconds
    case .copy: copyNanoseconds
    case .wakeup: wakeupNanoseconds
    case .clock: clockNanoseconds
    }
  }
}
