internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// One case of the campaign: records a workload, and checks images of many moments of it.
final class PowerLossCase {
  /// The most failures that a case describes and whose images it keeps.
  private static let mostFailures = 5

  private let testCase: StressCase
  private let settings: PowerLossCampaign.Settings
  private var random: RandomStream
  /// The newest commit in each image that was checked, by digest; nil for a corrupt image.
  private var known: [UInt64: UInt64?] = [:]
  private var imageCount = 0
  private var cutCount = 0
  private(set) var outcome = CaseOutcome()

  init(_ testCase: StressCase, _ settings: PowerLossCampaign.Settings) {
    self.testCase = testCase
    self.settings = settings
    random = testCase.random("images")
  }

  func run() throws {
    var random = testCase.random("workload")
    let plan = PowerLossWorkload(
      synchronous: settings.synchronous,
      number: testCase.number,
      &random
    )
    let workload = try plan.record(inFolder: testCase.folder, &random)
    let marks = RecordedMarks(workload.recording, initial: workload.initial, acknowledged: workload.acknowledged)
    outcome.count("workloads")
    outcome.count("operations", workload.recording.operations.count)
    outcome.count("commits acknowledged", Int(marks.acknowledged.last ?? 0))
    outcome.count("joint commits", marks.jointCommits)
    outcome.count("guard frames", marks.guardFrames)
    let check = ImageCheck(path: testCase.folder + "/image.sqlite", options: workload.options)
    try checkImages(of: workload, marks, check)
  }

  private func checkImages(of workload: RecordedWorkload, _ marks: RecordedMarks, _ check: ImageCheck) throws {
    var state = DurableState(workload.recording, initial: workload.initial)
    let end = workload.recording.operations.count
    while true {
      if isChosen(marks.steps[state.index], operationsLeft: end - state.index + 1) {
        cutCount += 1
        let (acknowledged, steps) = (marks.acknowledged[state.index], marks.steps[state.index])
        let moment = Moment(index: state.index, acknowledged: acknowledged, steps: steps)
        var effects = RandomStream(seed: random.next(), "effects")
        try ImagePlan(state: state, recording: workload.recording).forEach(&effects) { kind, image in
          try examine(image, kind: kind, at: moment, with: check)
          return !isFinished
        }
      }
      if isFinished || state.index == end { return }
      state.advance()
    }
  }

  private var isFinished: Bool {
    testCase.interruption.isRaised || outcome.failures.count >= Self.mostFailures
  }

  /// Whether images of the moment are made. The probability spreads the case's images over all operations; it is higher
  /// inside a joint commit, a reset or a vacuum, and 1 inside a guard frame, which few operations write.
  private func isChosen(_ steps: CutStep, operationsLeft: Int) -> Bool {
    guard let most = settings.imagesPerCase, !steps.contains(.guardFrame) else { return true }
    let imagesPerCut = cutCount < 4 ? 8 : max(1, Double(imageCount) / Double(cutCount))
    let share = Double(most - imageCount) / imagesPerCut / Double(operationsLeft)
    let isSpecial = !steps.subtracting(.checkpoint).isEmpty
    return random.unit() < (isSpecial ? 3 * share : share)
  }

  /// The point of a recording at which the power is lost.
  private struct Moment {
    let index: Int
    let acknowledged: UInt64
    let steps: CutStep
  }

  /// Checks an image, unless an equal one was checked before.
  private func examine(_ image: DiskImage, kind: ImageKind, at moment: Moment, with check: ImageCheck) throws {
    let digest = image.digest
    let description = "after operation \(moment.index), \(kind.rawValue)"
    if let commit = known[digest] {
      outcome.count("equal images, not opened again")
      // An equal image of a later moment must contain more commits.
      if let commit { judge(commit, acknowledged: moment.acknowledged, description, keeping: image) }
      return
    }
    imageCount += 1
    outcome.count("images")
    outcome.count(kind.countName)
    for (step, name) in CutStep.named where moment.steps.contains(step) { outcome.count(name) }
    let crashesAgain = random.below(settings.secondCrashEvery) == 0
    let result =
      crashesAgain
      ? try checkWithSecondCrash(image, description, with: check)
      : try check.check(image, checksIntegrity: checksIntegrity)
    known[digest] = result.errors.isEmpty ? .some(result.commit) : .some(nil)
    judge(result, acknowledged: moment.acknowledged, description, keeping: image)
  }

  private var checksIntegrity: Bool { random.below(settings.integrityEvery) == 0 }

  // MARK: Second crash

  /// Checks an image, and also images of moments of its recovery.
  private func checkWithSecondCrash(
    _ image: DiskImage,
    _ description: String,
    with check: ImageCheck
  ) throws -> ImageCheck.Result {
    let scope = try FileScope(prefix: check.path)
    scope.startRecording()
    let result = try check.check(image, checksIntegrity: false) {
      scope.mark(WorkloadMark.acknowledged.rawValue, $0)
    }
    let recording = try scope.stopRecording()
    guard result.errors.isEmpty else { return result }
    // The commits that the first image contains are on the disk, whether they were acknowledged or not.
    let marks = RecordedMarks(recording, initial: image, acknowledged: result.commit)
    let cuts = Set((0..<4).map { _ in random.below(recording.operations.count + 1) })
    var state = DurableState(recording, initial: image)
    while true {
      if cuts.contains(state.index) {
        let acknowledged = marks.acknowledged[state.index]
        var left = 4
        var effects = RandomStream(seed: random.next(), "effects")
        try ImagePlan(state: state, recording: recording).forEach(&effects) { kind, second in
          let text = "\(description), and again after operation \(state.index) of the recovery, \(kind.rawValue)"
          outcome.count("second crashes")
          let result = try check.check(second, recoveries: 1, checksIntegrity: checksIntegrity)
          judge(result, acknowledged: acknowledged, text, keeping: second, mustContain: marks.acknowledged[0])
          left -= 1
          return left > 0 && !isFinished
        }
      }
      if state.index == recording.operations.count || isFinished { return result }
      state.advance()
    }
  }

  // MARK: Verdicts

  /// Counts the checks of an image, and judges their result.
  private func judge(
    _ result: ImageCheck.Result,
    acknowledged: UInt64,
    _ description: String,
    keeping image: DiskImage,
    mustContain durable: UInt64 = 0
  ) {
    outcome.count("rows compared", result.rows)
    outcome.count("integrity checks", result.hasCheckedIntegrity ? 1 : 0)
    if let error = result.errors.first {
      outcome.count(PowerLossCampaign.corruptCount)
      if settings.synchronous != .off { fail("\(description): \(error)", keeping: image) }
    } else {
      judge(result.commit, acknowledged: acknowledged, description, keeping: image, mustContain: durable)
    }
  }

  /// Compares the newest commit of an image with the newest that was acknowledged.
  /// - Parameter durable: The newest commit that no power loss may remove, whatever the level.
  private func judge(
    _ commit: UInt64,
    acknowledged: UInt64,
    _ description: String,
    keeping image: DiskImage,
    mustContain durable: UInt64 = 0
  ) {
    guard commit < acknowledged else { return }
    outcome.count(PowerLossCampaign.lostCount)
    guard settings.synchronous == .full || (settings.synchronous == .normal && commit < durable) else { return }
    fail(
      "\(description): commit \(acknowledged) was acknowledged, but the newest in the file is \(commit)",
      keeping: image
    )
  }

  private func fail(_ text: String, keeping image: DiskImage) {
    guard outcome.failures.count < Self.mostFailures else { return }
    let folder = testCase.folder + "/failure-\(outcome.failures.count + 1)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try image.write(at: folder + "/image.sqlite")
      outcome.failures.append("a power loss \(text)")
    } catch {
      outcome.failures.append("a power loss \(text) (the image was not kept: \(error))")
    }
  }
}
