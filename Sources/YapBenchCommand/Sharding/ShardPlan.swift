internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation

/// The shard that a command is to make.
struct ShardRequest {
  /// From 1.
  let number: Int
  let count: Int
  /// The options that the commands of all shards have in common.
  let options: [String]

  init(_ shard: (number: Int, count: Int), run: RunOptionGroup, choice: ScenarioChoice, drivers: [DriverKind]) {
    (number, count) = shard
    var words = run.isSmoke ? ["--smoke"] : []
    if let seed = run.seed { words += ["--seed", String(seed)] }
    if !drivers.isEmpty { words += ["--driver", drivers.map(\.rawValue).joined(separator: ",")] }
    words += choice.overrides.flatMap { ["--set", "\($0.path)=\($0.value)"] }
    words += choice.variants.flatMap { ["--only", $0] } + run.repeated
    if let folder = run.dataFolder { words += ["--data-dir", ShardPlan.absolute(folder)] }
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
        number: shard.number,
        count: shard.count,
        scenarios: planned,
        scenario: index,
        program: program,
        options: shard.options
      )
    }
    parts = zip(entries, shards).filter { !$1.runs.isEmpty }.map { ($0, $1) }
    let total = Quantity.count(planned.reduce(0) { $0 + $1.runs }, of: "planned run")
    emptyText = "shard \(shard.number) of \(shard.count) has nothing to do: there are only \(total)"
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
