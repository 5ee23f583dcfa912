/// A count that must reach a minimum.
public struct StressRequirement: Codable, Sendable, Equatable {
  public let count: String
  public let minimum: Int
  /// The meaning of a count below the minimum, as a sentence without a period, such as "no commit was acknowledged".
  public let explanation: String

  public init(_ count: String, atLeast minimum: Int = 1, else explanation: String) {
    self.count = count
    self.minimum = minimum
    self.explanation = explanation
  }

  /// Returns the requirement as a shortcoming; nil if it is met.
  /// - Parameter found: The value of the count.
  public func shortcoming(found: Int) -> String? {
    found < minimum ? "\(explanation): \(found) \(count), expected at least \(minimum)" : nil
  }
}

/// The cases of a campaign that one machine has run. Durations of different machines are not added.
public struct StressMachine: Codable, Sendable, Equatable {
  /// The machine's name, processor and number of cores.
  public var name: String
  public var fileSystem: String
  public var cases: Int
  /// The number of failed cases.
  public var failedCases: Int
  /// The time that each of the machine's shards took, in their order.
  public var seconds: [Double]

  /// - Parameter reports: The reports of the machine, at least one.
  init(_ reports: [ShardReport<StressResult>]) {
    (name, fileSystem) = (reports[0].record.machine, reports[0].result.environment.fileSystem)
    cases = reports.reduce(0) { $0 + $1.result.cases }
    failedCases = reports.reduce(0) { $0 + $1.result.failedCases.count }
    seconds = reports.map(\.result.durationSeconds)
  }
}
