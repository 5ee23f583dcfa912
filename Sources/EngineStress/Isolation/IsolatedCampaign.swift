package import BenchResults
internal import ThreadingPrimitives

/// Runs the cases of a campaign in child processes, so that a crash or a hang ends only a child process and is reported
/// as the failure of its case.
///
/// Each child process runs one case at a time, so cases may change the limits and other state of their process.
package final class IsolatedCampaign: StressCampaign {
  /// The time after which a case has hung. Cases take milliseconds.
  package static let limitSeconds = 10

  private let campaign: any StressCampaign
  private let program: CaseProgram
  private let limitSeconds: Int
  private let idle = Guarded<[RequestProcess]>([])

  /// - Parameters:
  ///   - campaign: The campaign that the child processes run too.
  ///   - program: A program that serves the campaign's cases with `CaseServer`.
  package init(_ campaign: any StressCampaign, in program: CaseProgram, limitSeconds: Int = limitSeconds) {
    self.campaign = campaign
    self.program = program
    self.limitSeconds = limitSeconds
  }

  package var kind: StressKind { campaign.kind }
  package var arguments: [String] { campaign.arguments }
  package var inputDigest: String? { campaign.inputDigest }
  package var synchronous: String { campaign.synchronous }
  package var caseCount: Int? { campaign.caseCount }
  package var countNames: [String] { campaign.countNames }
  package var requirements: [StressRequirement] { campaign.requirements }
  package var untested: [String] { campaign.untested }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let free = idle.withLock { $0.popLast() }
    let process = try free ?? RequestProcess(program.path, program.arguments, limitSeconds: limitSeconds)
    var request = testCase
    request.hasOwnMounts = program.hasOwnMounts
    let answer: RequestProcess.Answer<CaseOutcome> = try process.ask(request, until: testCase.interruption)
    switch answer {
    case .reply(let outcome):
      idle.withLock { $0.append(process) }
      return outcome
    case .hung:
      return CaseOutcome(failures: ["the case hung: it did not end within \(limitSeconds) s"])
    case .interrupted: return CaseOutcome()
    case .ended(let description):
      return CaseOutcome(failures: ["the case ended its process: \(description)"])
    }
  }
}

/// The command that starts a program whose standard input is a socket on which `CaseServer` serves cases.
package struct CaseProgram: Sendable {
  /// A path, or a name that is searched in `PATH`.
  package var path: String
  package var arguments: [String]
  /// Whether the program runs in a mount namespace of its own.
  var hasOwnMounts = false

  package init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }
}
