import Testing

@testable import BenchRunner

@Suite("The time that checks may take") struct CheckBudgetTests {
  /// - Returns: which of so many transactions are checked.
  private func checked(_ count: Int, service: UInt64, check: UInt64) -> [Bool] {
    var budget = CheckBudget()
    return (0..<count).map { _ in
      let isChecked = budget.isOpen
      budget.addService(service)
      if isChecked { budget.addCheck(check) }
      return isChecked
    }
  }

  @Test func `where checks are quick beside what they check, all is checked`() {
    #expect(checked(100_000, service: 20_000, check: 1_000).allSatisfy { $0 })
  }

  @Test(arguments: [(100, 100), (400, 200), (1_000, 5_000), (50, 1_000)] as [(UInt64, UInt64)])
  func `else they take a twelfth`(service: UInt64, check: UInt64) {
    let chosen = checked(2_000_000, service: service, check: check)
    let time = Double(chosen.count { $0 }) * Double(check) - Double(CheckBudget.creditNanoseconds)
    let share = time / (2_000_000 * Double(service))
    let burst = Double(CheckBudget.burstNanoseconds) / (2_000_000 * Double(service))
    #expect(abs(share - 1 / Double(CheckBudget.share)) <= burst + 0.001)
  }

  @Test func `those that are checked come in a row`() {
    let chosen = checked(1_000_000, service: 200, check: 200)
    // As many as the credit allows, and then in bursts.
    #expect(chosen.prefix(Int(CheckBudget.creditNanoseconds / 200)).allSatisfy { $0 })
    let begins = zip(chosen, chosen.dropFirst()).count { !$0 && $1 }
    let most = 1_000_000 * 200 / Int(CheckBudget.share * CheckBudget.burstNanoseconds)
    #expect(begins > 1 && begins <= most + 1)
  }
}
