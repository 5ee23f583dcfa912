/// The kinds of stress campaigns, each a subcommand of `yapbench stress`.
public enum StressKind: String, Codable, Sendable, CaseIterable {
  case load, random, crash
  case powerLoss = "power-loss"
  case faults, damage, schedules, soak
  case listAppend = "list-append"
}
