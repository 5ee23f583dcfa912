import BenchResults
import Testing

@testable import YapBenchCommand

struct SummaryTextTests {
  @Test(
    arguments: [
      ("all of it", 20, ["all of it"]), ("all of it", 9, ["all of it"]),
      (
        "ok      run/import response.p99 < 50ms  measured 613 us", 40,
        [
          "ok      run/import response.p99 < 50ms", "    measured 613 us",
        ]
      ),
      ("  - a reason of several words", 16, ["  - a reason of", "      several", "      words"]),
      ("averylongwordthatfitsnowhere and more", 10, ["averylongwordthatfitsnowhere", "    and", "    more"]),
      ("   ", 2, ["   "]), ("no room", 3, ["no room"]), ("", 0, [""]),
    ] as [(String, Int, [String])]
  )
  func `A line is wrapped at words`(line: String, columns: Int, parts: [String]) {
    #expect(SummaryText.wrapped(line, columns: columns) == parts)
  }

  @Test func `A line of a table is cut at the terminal's width`() {
    let terminal = Terminal(hasColor: false) { 8 }
    #expect(["eight ch", "nine char", ""].map(terminal.cut) == ["eight ch", "nine ch…", ""])
  }

  @Test(
    arguments: [(.passed, "32", "PASSED"), (.expectationFailed, "31", "FAILED"), (.interrupted, "33", "INTERRUPTED")]
      as [(BenchResults.ExitStatus, String, String)]
  )
  func `The verdict's word has a color, unless none is wanted`(
    code: BenchResults.ExitStatus,
    color: String,
    word: String
  ) {
    let verdict = VerdictResult(exitCode: code, headline: "all", reasons: [])
    let lines = ["\(word): all", "more"]
    let colored = SummaryText(terminal: Terminal(hasColor: true) { 80 }).lines(lines, of: verdict)
    #expect(colored == ["\u{1b}[\(color)m\(word)\u{1b}[0m: all", "more"])
    #expect(SummaryText(terminal: Terminal(hasColor: false) { 80 }).lines(lines, of: verdict) == lines)
  }
}
