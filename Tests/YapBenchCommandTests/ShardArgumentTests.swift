import BenchResults
import Testing

@testable import YapBenchCommand

struct ShardArgumentTests {
  private func resolved(_ argument: String, _ environment: [String: String] = [:]) -> String {
    guard let shard = try? ShardArgument(text: argument) else { return "no shard" }
    do throws(Failure) {
      return try shard.shard(in: environment).argument
    } catch {
      return "\(error.status.rawValue): \(error.text)"
    }
  }

  @Test(arguments: ["1/1", "1/4", "4/4", "999999/1000000"])
  func `A number of 1 to N is taken as it is, also in a job`(argument: String) {
    #expect(resolved(argument) == argument)
    #expect(resolved(argument, ["SLURM_ARRAY_TASK_ID": "7", "JOB_COMPLETION_INDEX": "x"]) == argument)
  }

  @Test(
    arguments: [
      "", "0/4", "5/4", "-1/4", "1/0", "1", "/4", "1/", "1/4/2", "a/4", "1/b", "+1/4", "1 /4", "1/1000001", "auto/0",
      "auto/", "auto/-1", "Auto", "auto/4/4", "99999999999999999999/4",
    ]
  )
  func `Other words are no shard`(argument: String) {
    #expect(resolved(argument) == "no shard")
  }

  private static func slurm(_ id: String, _ least: String? = nil, _ count: String? = nil, step: String? = nil)
    -> [String: String]
  {
    var variables = ["SLURM_ARRAY_TASK_ID": id]
    variables["SLURM_ARRAY_TASK_MIN"] = least
    variables["SLURM_ARRAY_TASK_COUNT"] = count
    variables["SLURM_ARRAY_TASK_STEP"] = step
    return variables
  }

  @Test(
    arguments: [
      ("auto", slurm("1", "1", "4"), "1/4"), ("auto", slurm("4", "1", "4"), "4/4"),
      ("auto", slurm("0", "0", "4"), "1/4"),
      ("auto", slurm("3", "0", "4", step: "1"), "4/4"), ("auto", slurm("9", "5", "3", step: "2"), "3/3"),
      // One task of a larger array.
      ("auto/4", slurm("3", "3", "1"), "3/4"), ("auto/4", slurm("1", "1", "4"), "1/4"), ("auto/4", slurm("2"), "2/4"),
      ("auto/4", ["JOB_COMPLETION_INDEX": "0"], "1/4"), ("auto/4", ["JOB_COMPLETION_INDEX": "3"], "4/4"),
    ]
  )
  func `The environment of a job states the shard`(argument: String, environment: [String: String], shard: String) {
    #expect(resolved(argument, environment) == shard)
  }

  @Test(
    arguments: [
      ("auto", [:]), ("auto/4", [:]), ("auto/4", ["SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "1"]),
      ("auto/4", ["SLURM_ARRAY_TASK_ID": "x", "JOB_COMPLETION_INDEX": "1"]), ("auto", slurm("1")),
      ("auto/4", ["SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "x"]),
      ("auto", slurm("1", "1")), ("auto", slurm("x", "1", "4")), ("auto", slurm("1", "1", "4", step: "x")),
      // The repetition of one task would make all runs.
      ("auto", slurm("3", "3", "1")), ("auto", slurm("9", "1", "4")), ("auto", slurm("7", "1", "4", step: "5")),
      ("auto", slurm("0", "1", "4")), ("auto/4", slurm("5", "1", "5")), ("auto/4", slurm("0")),
      // An array from 0 on would give each task the shard of another one.
      ("auto/4", slurm("1", "0", "4")), ("auto", slurm("1", "1", "4294967295")),
      ("auto/4", slurm("99999999999999999999")), ("auto", slurm("4294967295", "0", "4294967295", step: "1")),
      ("auto", ["JOB_COMPLETION_INDEX": "0"]), ("auto/4", ["JOB_COMPLETION_INDEX": "4"]),
      ("auto/4", ["JOB_COMPLETION_INDEX": "-1"]),
    ] as [(String, [String: String])]
  )
  func `A wrong environment is reported with the found and the expected values`(
    argument: String,
    environment: [String: String]
  ) {
    let text = resolved(argument, environment)
    let expected =
      argument == "auto"
      ? "SLURM_ARRAY_TASK_ID of an array of at least 2 tasks, with its SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_COUNT, "
        + "SLURM_ARRAY_TASK_STEP"
      : "SLURM_ARRAY_TASK_ID from 1 to 4 in an array from 1 on, or JOB_COMPLETION_INDEX from 0 to 3"
    #expect(text.hasPrefix("64: --shard \(argument): expected \(expected), found "), "\(text)")
    #expect(text.contains("; give the number of shards, such as --shard auto/4"), "\(text)")
    for (name, value) in environment { #expect(text.contains("\(name)=\(value)"), "\(text)") }
    if environment.isEmpty { #expect(text.contains("found none of them;"), "\(text)") }
  }
}
