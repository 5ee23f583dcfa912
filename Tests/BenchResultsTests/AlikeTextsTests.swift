import Testing

@testable import BenchResults

@Suite("Texts that differ only in numbers") struct AlikeTextsTests {
  private func texts(_ texts: String...) -> [String] { AlikeTexts.groups(of: texts).map(\.text) }

  @Test func `become one text with the ranges of the numbers`() {
    #expect(
      texts("others took 92.5 % in 3 phases", "others took 51 % in 3 phases", "others took 60 % in 3 phases")
        == ["others took 51 to 92.5 % in 3 phases"]
    )
    #expect(texts("1,200 of 5,000 arrivals.", "30 of 5,000 arrivals.") == ["30 to 1,200 of 5,000 arrivals."])
    #expect(texts("late by 20ms", "late by 3ms", "late by 1s") == ["late by 3 to 20ms", "late by 1s"])
  }

  @Test func `keep their order, and equal ones stay as they are`() {
    let found = AlikeTexts.groups(of: ["b 1", "a", "b 2", "a", "c"])
    #expect(found.map(\.text) == ["b 1 to 2", "a", "c"])
    #expect(found.map(\.indices) == [[0, 2], [1, 3], [4]])
    #expect(texts() == [] && texts("", "") == [""])
  }

  @Test func `numbers in names are no numbers`() {
    #expect(texts("phase \"2\" of run1", "phase \"3\" of run1") == ["phase \"2\" of run1", "phase \"3\" of run1"])
    #expect(texts("a1 is late", "a2 is late").count == 2)
    #expect(texts("v1.2 is late", "v1.3 is late").count == 2)
  }
}
