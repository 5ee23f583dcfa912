internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation

/// The shard that a command is to make.
struct ShardRequest {
  let position: ShardNumber
  /// The options that the commands of all shards have in common.
  let options: [String]

  init(_ position: ShardNumber, run: RunOptionGroup, choice: ScenarioChoice, drivers: [DriverKind]) {
    self.position = position
    var words = run.isSmoke ? ["--smoke"] : []
    if let seed = run.seed { words += ["--seed", String(seed)] }
    if !drivers.isEmpty { words += ["--driver", drivers.map(\.rawValue).joined(separator: ",")] }
    words += choice.overrides.flatMap { ["--set", "\($0.path)=\($0.value)"] }
    words += choice.variants.flatMap { ["--only", $0] } + run.repeated
    if let folder = run.dataFolder { words += ["--data-dir", ShardPlan.absolute(folder.text)] }
    options = words
  }
}

/// The part of each scenario that a shard makes.
struct ShardPlan {
  /// The SHA-256 digest of this program.
  static let program = Result { try ThisProgram().sha256 }

  /// The scenarios of which the shard makes at least one run, with the shard as their results record it.
  let parts: [(entry: ScenarioFiles.Entry, shard: Shard)]
  /// The message if there is none.
  let emptyText: String

  /// - Parameters:
  ///   - entries: The scenarios of the command, each with a seed.
  ///   - program: The SHA-256 digest of this program.
  init(_ shard: ShardRequest, _ entries: [ScenarioFiles.Entry], program: String) {
    let planned = entries.map { entry in
      Shard.PlannedScenario(
        name: entry.loaded.scenario.name,
        file: Self.absolute(entry.path),
        runs: entry.loaded.runCount
      )
    }
    let shards = planned.indices.map { index in
      Shard(
        number: shard.position.number,
        count: shard.position.count,
        scenarios: planned,
        scenario: index,
        program: program,
        options: shard.options
      )
    }
    parts = zip(entries, shards).filter { !$1.runs.isEmpty }.map { ($0, $1) }
    emptyText = Self.emptyText(shard.position, total: planned.reduce(0) { $0 + $1.runs }, unit: "planned run")
  }

  /// The error of a campaign or calibration that would draw a seed.
  static let missingSeed = Failure(
    "--shard: each shard would draw another seed; give the same --seed to all shards",
    .usage
  )

  /// The message of a shard without a part of the planned units.
  static func emptyText(_ position: ShardNumber, total: Int, unit: String) -> String {
    "\(position.text) has nothing to do: there \(total == 1 ? "is" : "are") only \(Quantity.count(total, of: unit))"
  }

  static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

extension LoadedScenario {
  /// - Throws: `Failure` if the scenario has no seed, which each shard would draw for itself.
  func requireSeedOfShards(in path: String) throws(Failure) {
    guard scenario.seed == nil else { return }
    throw Failure(
      "\(path): the scenario has no seed, and each shard would draw another one; add \"seed: 1\" to the file, or give "
        + "the same --seed to all shards",
      .usage
    )
  }
}
