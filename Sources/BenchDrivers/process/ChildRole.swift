/// The tasks for which the program starts itself as a child process, with the hidden subcommand `child`.
public enum ChildRole: String, CaseIterable, Sendable {
  /// Hosts the engine of a run that kills it.
  case engine
  /// Runs one scenario of `stress random`.
  case trial
  /// Runs cases of a stress campaign.
  case cases
  /// Writes to the database of `stress crash` until it is killed.
  case crash
  /// Does work whose instructions `bench --instructions` counts.
  case counted

  public static let subcommand = "child"

  /// The arguments with which the program takes the role.
  public var arguments: [String] { [Self.subcommand, rawValue] }
}
