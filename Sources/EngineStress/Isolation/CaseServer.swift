/// Runs the cases that an `IsolatedCampaign` of the parent process requests.
public enum CaseServer {
  /// Serves until the parent process closes the channel.
  public static func serve(_ campaign: some StressCampaign) throws {
    try RequestServer.serve { (testCase: StressCase) in campaign.outcome(of: testCase) }
  }
}
