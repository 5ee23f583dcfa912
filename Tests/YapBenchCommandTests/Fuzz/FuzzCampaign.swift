import TestSupport
import Testing

/// Runs all cases of a fuzzer in batches, and continues after a case that ended its process.
struct FuzzCampaign {
  /// A case that ended its process.
  struct Failure: Equatable {
    var number: Int
    var isHung: Bool
  }

  let subject: FuzzSubject
  let plan: FuzzPlan
  var batchSize = 2_000
  var limitSeconds: UInt32 = 60
  /// The number of failures after which a campaign ends, because further ones most likely have the same cause.
  var failureLimit = 5

  /// Runs one of the parts.
  /// - Returns: The failures. Each is recorded as an issue as well.
  @discardableResult
  func run(part: Int = 0, of partCount: Int = 1) async throws -> [Failure] {
    let all = plan.cases
    let bounds = (0...partCount).map { all.lowerBound + all.count * $0 / partCount }
    var next = bounds[part]
    var failures: [Failure] = []
    while next < bounds[part + 1], failures.count < failureLimit {
      let folder = try TemporaryFolder(prefersMemory: true)
      let cases = next..<min(next + batchSize, bounds[part + 1])
      let batch = FuzzBatch(
        subject: subject,
        test: plan.test,
        seed: plan.seed,
        cases: cases,
        folder: folder.path,
        limitSeconds: limitSeconds
      )
      await #expect(processExitsWith: .success) { [batch = batch as FuzzBatch] in
        reported { try batch.perform() }
      }
      let progress = try batch.progress()
      next = progress.number
      guard progress.number < cases.upperBound else { continue }
      failures.append(Failure(number: progress.number, isHung: progress.isHung))
      let end = progress.isHung ? "hung for \(limitSeconds) s" : "ended its process. \(batch.trapMessage())"
      Issue.record("case \(progress.number) \(end)\n\(plan.repeatLine(progress.number))")
      next += 1
    }
    return failures
  }
}

/// Records an error that the body of a test throws in a child process, where an uncaught error would be a crash.
private func reported(_ body: () throws -> Void) {
  do { try body() } catch { Issue.record("\(error)") }
}
