/// Runs the cases that an `IsolatedCampaign` of the parent process requests.
package enum CaseServer {
  /// Serves until the parent process closes the channel.
  package static func serve(_ campaign: some StressCampaign) throws {
    try RequestServer.serve { (testCase: StressCase) in campaign.outcome(of: testCase) }
  }
}
