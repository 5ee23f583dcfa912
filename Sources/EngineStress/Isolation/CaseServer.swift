internal import ThreadingPrimitives

/// Runs the cases that an `IsolatedCampaign` of the parent process requests.
public enum CaseServer {
  /// Serves until the parent process closes the channel.
  public static func serve(_ campaign: some StressCampaign) throws {
    try RequestServer.serve { (request: CaseRequest) in
      campaign.outcome(
        of: StressCase(
          number: request.number,
          seed: request.seed,
          folder: request.folder,
          interruption: StopFlag(),
          hasOwnMounts: request.hasOwnMounts
        )
      )
    }
  }
}
