internal import ThreadingPrimitives

/// Runs the cases that an `IsolatedCampaign` of the parent process requests.
public struct CaseServer {
  private let campaign: any StressCampaign

  public init(_ campaign: any StressCampaign) {
    self.campaign = campaign
  }

  /// Serves until the parent process closes the channel.
  public func serve() throws {
    try RequestServer.serve { (request: CaseRequest) in
      var testCase = StressCase(
        number: request.number,
        seed: request.seed,
        folder: request.folder,
        interruption: StopFlag()
      )
      testCase.hasOwnMounts = request.hasOwnMounts
      return campaign.outcome(of: testCase)
    }
  }
}
