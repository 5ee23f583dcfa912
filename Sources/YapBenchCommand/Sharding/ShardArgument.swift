internal import ArgumentParser
internal import BenchResults

/// The value of `--shard`: `I/N`, `auto`, or `auto/N`.
enum ShardArgument {
  case explicit(ShardNumber)
  /// The job's environment states the number of the shard, and, unless it is given here, the number of shards.
  case automatic(count: Int?)

  private static let word = "auto"

  init(text: String) throws {
    guard let argument = Self(argument: text) else {
      throw ValidationError("expected I/N with I from 1 to N, auto, or auto/N, found \"\(text)\"")
    }
    self = argument
  }

  /// - Returns: nil for a text that is no shard.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts == [Self.word[...]] {
      self = .automatic(count: nil)
      return
    }
    guard parts.count == 2, let count = Self.number(parts[1]), (1...ShardNumber.mostShards).contains(count) else {
      return nil
    }
    if parts[0] == Self.word {
      self = .automatic(count: count)
    } else {
      guard let number = Self.number(parts[0]), (1...count).contains(number) else { return nil }
      self = .explicit(ShardNumber(number, of: count))
    }
  }

  /// - Returns: nil for anything but ASCII digits.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  /// Returns the number of the shard and the number of shards.
  ///
  /// - Parameter environment: The variables of the process.
  /// - Throws: `Failure` if `auto` is given and the environment does not state both, or states a wrong number.
  func resolved(in environment: [String: String]) throws(Failure) -> ShardNumber {
    switch self {
    case .explicit(let shard): return shard
    case .automatic(let count):
      let job = JobEnvironment(environment)
      switch (try job.number(Slurm.id), try job.number(Kubernetes.index)) {
      case (nil, nil):
        throw Failure(
          "--shard auto: neither \(Slurm.id) nor \(Kubernetes.index) is set, so this is no task of a Slurm array and "
            + "no pod of an indexed job; give the number of the shard, such as --shard 1/4",
          .usage
        )
      case (.some, .some):
        throw Failure(
          "--shard auto: both \(Slurm.id) and \(Kubernetes.index) are set; give the number of the shard, such as "
            + "--shard 1/4",
          .usage
        )
      case (let id?, nil): return try Slurm.shard(id, count: count, job)
      case (nil, let index?): return try Kubernetes.shard(index, count)
      }
    }
  }
}

/// The variables of a job, as numbers.
private struct JobEnvironment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  /// - Returns: nil if the variable is not set.
  /// - Throws: `Failure` if it is anything but a whole number from 0 on.
  func number(_ name: String) throws(Failure) -> Int? {
    guard let text = variables[name] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw Failure("--shard auto: \(name) is \"\(text)\"; expected a whole number", .usage)
    }
    return number
  }

  func require(_ name: String) throws(Failure) -> Int {
    guard let number = try number(name) else {
      throw Failure("--shard auto: \(name) is not set; give the number of shards, such as --shard auto/4", .usage)
    }
    return number
  }
}

/// A task of a Slurm array.
private enum Slurm {
  static let id = "SLURM_ARRAY_TASK_ID"
  private static let least = "SLURM_ARRAY_TASK_MIN"
  private static let tasks = "SLURM_ARRAY_TASK_COUNT"
  private static let step = "SLURM_ARRAY_TASK_STEP"

  /// With a given count, the task's id is the number of the shard, so that an array of some of the tasks repeats their
  /// shards. Otherwise the array is `MIN-MAX:STEP`, and its tasks are the shards.
  static func shard(_ id: Int, count: Int?, _ job: JobEnvironment) throws(Failure) -> ShardNumber {
    if let count {
      if try job.number(least) == 0 || !(1...count).contains(id) {
        throw Failure(
          "--shard auto/\(count): \(Self.id) is \(id); expected an array of tasks from 1 to \(count), such as "
            + "sbatch --array=1-\(count)",
          .usage
        )
      }
      return ShardNumber(id, of: count)
    }
    let (first, total) = (try job.require(least), try job.require(tasks))
    guard total > 1 else {
      throw Failure(
        "--shard auto: the array has 1 task, which would make all runs; to repeat one shard of several, give the "
          + "number of shards, such as --shard auto/4",
        .usage
      )
    }
    let step = max(1, try job.number(step) ?? 1)
    let (index, rest) = (id - first).quotientAndRemainder(dividingBy: step)
    guard id >= first, rest == 0, index < total, total <= ShardNumber.mostShards else {
      throw Failure(
        "--shard auto: \(Self.id) is \(id), which is not one of the \(total) tasks from \(first) in steps of \(step); "
          + "give the number of shards, such as --shard auto/4, and an array from 1 to that number",
        .usage
      )
    }
    return ShardNumber(index + 1, of: total)
  }
}

/// A pod of a Kubernetes job with `completionMode: Indexed`.
private enum Kubernetes {
  static let index = "JOB_COMPLETION_INDEX"

  /// The index counts from 0. No variable states the number of completions.
  static func shard(_ index: Int, _ count: Int?) throws(Failure) -> ShardNumber {
    guard let count else {
      throw Failure(
        "--shard auto: an indexed job does not state its number of completions; give it, such as --shard auto/4",
        .usage
      )
    }
    guard index < count else {
      throw Failure(
        "--shard auto/\(count): \(Self.index) is \(index); expected 0 to \(count - 1), so that the job's completions "
          + "are the number of shards",
        .usage
      )
    }
    return ShardNumber(index + 1, of: count)
  }
}
