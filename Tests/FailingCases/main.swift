internal import BenchResults
internal import EngineStress
internal import Glibc

/// The damage campaign, of which one case ends or blocks its process.
struct FailingCampaign: StressCampaign {
  enum Failure: String {
    case trap, hang
  }

  let campaign = DamageCampaign()
  let failure: Failure
  let failingCase: Int

  var kind: StressKind { campaign.kind }
  var arguments: [String] { campaign.arguments }
  var synchronous: String { campaign.synchronous }
  var countNames: [String] { campaign.countNames }
  var requirements: [StressRequirement] { campaign.requirements }
  var untested: [String] { campaign.untested }

  func run(_ testCase: StressCase) throws -> CaseOutcome {
    guard testCase.number == failingCase else { return try campaign.run(testCase) }
    switch failure {
    // With optimisation, a precondition would not print its text.
    case .trap: fatalError("a trap for a test")
    case .hang: while true { pause() }
    }
  }
}

// The program of `IsolatedCampaignTests`: its arguments are the failure and the number of the case that fails.
guard CommandLine.arguments.count == 3, let failure = FailingCampaign.Failure(rawValue: CommandLine.arguments[1]),
  let failingCase = Int(CommandLine.arguments[2])
else { fatalError("expected trap or hang, and the number of a case") }
try CaseServer.serve(FailingCampaign(failure: failure, failingCase: failingCase))
