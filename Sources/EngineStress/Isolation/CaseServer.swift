internal import ThreadingPrimitives

/// Runs the cases that an `IsolatedCampaign` of the parent process requests.
public enum CaseServer {
  /// Serves until the parent process closes the channel.
  public static func serve(_ campaign: some StressCampaign) throws {
    try RequestServer.serve { (request: CaseRequest) in
      let (number, seed, folder) = (request.number, request.seed, request.folder)
      var testCase = StressCase(number: number, seed: seed, folder: folder, interruption: StopFlag())
      testCase.hasOwnMounts = request.hasOwnMounts
      return campaign.outcome(of: testCase)
    }
  }
}
