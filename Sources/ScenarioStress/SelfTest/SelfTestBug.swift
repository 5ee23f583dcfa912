internal import EngineStress

/// A bug that the self-test plants, and the campaign that must find it.
public struct SelfTestBug: Sendable {
  /// The sign by which a campaign has found a bug.
  enum Finding: Sendable {
    /// A failure of a case contains one of the texts.
    case failure([String])
    /// After all cases, the campaign requires more of a count.
    case shortcoming(of: String)
  }

  /// Makes the campaign that must find the bug.
  /// - Parameters:
  ///   - isPlanted: Whether the bug is planted; false for the control.
  ///   - crashProgram: The program of the child processes of crash tests.
  typealias Campaign = @Sendable (_ isPlanted: Bool, _ crashProgram: CaseProgram) throws -> any StressCampaign

  public let name: String
  /// The effect of the bug, as a sentence.
  public let effect: String
  /// The name of the campaign.
  public let campaignName: String
  /// The number of the campaign's first case that is run.
  let firstCase: Int
  /// The largest number of cases that are run with the bug.
  let budget: Int
  var finding: Finding
  let campaign: Campaign

  init(
    _ name: String,
    _ effect: String,
    by campaignName: String,
    firstCase: Int = 0,
    within budget: Int,
    finding: Finding,
    campaign: @escaping Campaign
  ) {
    self.name = name
    self.effect = effect
    self.campaignName = campaignName
    self.firstCase = firstCase
    self.budget = budget
    self.finding = finding
    self.campaign = campaign
  }

  /// All bugs, in the order of their campaigns.
  public static let all =
    crash + powerLoss + faults + damage + schedules + unguardedCheckpoints + load + listAppend + verify

  /// Returns the bugs of these names, in the order of `all`; all bugs if there is no name.
  /// - Throws: `UnknownSelfTestBug`.
  public static func named(_ names: [String]) throws(UnknownSelfTestBug) -> [SelfTestBug] {
    for name in names where !all.contains(where: { $0.name == name }) { throw UnknownSelfTestBug(name: name) }
    return names.isEmpty ? all : all.filter { names.contains($0.name) }
  }
}

/// The error of a name that no bug has.
public struct UnknownSelfTestBug: Error, CustomStringConvertible {
  public let name: String

  public var description: String {
    "there is no planted bug \"\(name)\"; \"yapbench stress self-test --list\" lists all names"
  }
}
