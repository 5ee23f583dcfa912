import Foundation
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Calibration") struct CalibrationTests {
  private let p50 = FigureName(workload: "reads/run/ui", metric: "p50")

  private func machine(cpu: String = "a processor", memoryBytes: Int = 8 << 30) -> ComparedMachine {
    ComparedMachine(
      cpu: cpu,
      coreCount: 2,
      memoryBytes: memoryBytes,
      kernel: "6.1",
      fileSystem: "ext4",
      sqliteVersion: "3.40.1"
    )
  }

  private func record(
    _ percent: Double,
    on machine: ComparedMachine,
    isPrimary: Bool = true,
    isFalseAlarm: Bool = false
  ) throws -> CalibrationRecord {
    var record = CalibrationRecord(SyntheticComparison().judge.result(of: []))
    record.machine = machine
    record.figures = [
      CalibrationRecord.Figure(
        name: p50,
        changePercent: percent,
        isPrimary: isPrimary,
        isFalseAlarm: isFalseAlarm
      )
    ]
    return record
  }

  private func margin(_ calibration: Calibration) -> Double {
    100 * (exp(calibration.margins.margin(of: p50, .primary)) - 1)
  }

  @Test func `the noise floor is the 95th percentile of the changes in either direction`() throws {
    let records = try (1...100).map { number in
      try record(Double(number.isMultiple(of: 2) ? number : -number) / 10, on: machine())
    }
    let floor = margin(Calibration(records, machine: machine()))
    // A loss of 9.5 % is a larger change of the logarithm than a gain of 9.5 %.
    #expect((9.4...10.6).contains(floor))
  }

  @Test func `quiet machines keep the usual margin`() throws {
    let quiet = try Calibration([record(0.5, on: machine())], machine: machine())
    #expect(abs(margin(quiet) - 3) < 1e-9)
  }

  @Test func `records of other machines do not count`() throws {
    let other = try Calibration([record(20, on: machine(cpu: "another"))], machine: machine())
    #expect(other.result == nil)
    #expect(abs(margin(other) - 3) < 1e-9)
    // The kernel reserves another amount of memory after an update.
    let updated = try Calibration([record(20, on: machine(memoryBytes: (8 << 30) - (100 << 20)))], machine: machine())
    #expect(updated.result != nil)
  }

  @Test func `false alarms are counted with their interval`() throws {
    let records = try (1...100).map { try record(1, on: machine(), isFalseAlarm: $0 <= 4) }
    let result = try #require(Calibration(records, machine: machine()).result)
    #expect(result.comparisons == 100 && result.figures == 100 && result.falseAlarms == 4)
    // Clopper and Pearson, by SciPy: binomtest(4, 100).proportion_ci(method="exact").
    #expect(abs(result.lowerRate - 0.011004493986) < 1e-10)
    #expect(abs(result.upperRate - 0.099257156713) < 1e-10)
  }

  @Test func `figures with too few pairs are no part of a record, and one without times is not usable`() {
    let comparison = SyntheticComparison(stages: [1])
    for (pairs, isUsable) in [(5, false), (6, true)] {
      var runs = comparison.runs()
      for index in runs.indices where runs[index].pair > pairs {
        for figure in runs[index].figures.indices { runs[index].figures[figure].isDisturbed = true }
      }
      let record = CalibrationRecord(comparison.judge.result(of: runs))
      #expect(record.isUsable == isUsable)
      #expect(record.figures.isEmpty != isUsable)
    }
  }

  @Test func `figures that do not decide raise no alarms`() throws {
    let result = try Calibration([record(9, on: machine(), isPrimary: false)], machine: machine()).result
    #expect(result == nil)
  }
}
