internal import Foundation
internal import Glibc
internal import ThreadingPrimitives

/// Runs the cases that the parent process requests on standard input, which is a socket.
public struct CaseServer {
  /// The time after which the kernel ends a process whose case has hung and whose parent no longer exists.
  private static let orphanSeconds: UInt32 = 300

  private let campaign: any StressCampaign

  public init(_ campaign: any StressCampaign) {
    self.campaign = campaign
  }

  /// Serves until the parent process closes the socket.
  public func serve() throws {
    let socket = LineSocket(STDIN_FILENO)
    while case .line(let line) = try socket.receive() {
      let request = try JSONDecoder().decode(CaseRequest.self, from: line)
      var testCase = StressCase(
        number: request.number,
        seed: request.seed,
        folder: request.folder,
        interruption: StopFlag()
      )
      testCase.hasOwnMounts = request.hasOwnMounts
      alarm(Self.orphanSeconds)
      let outcome = campaign.outcome(of: testCase)
      alarm(0)
      try socket.send(JSONEncoder().encode(outcome))
    }
  }
}
