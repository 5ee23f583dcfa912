import BenchResults
import BenchRunner
import Testing

@testable import YapBenchCommand

struct ProgressDisplayTests {
  private let output = CapturedOutput()

  private func display(_ terminal: Terminal?) -> ProgressDisplay {
    let display = ProgressDisplay(output: output, terminal: terminal)
    display.showMessage("stalled-reader: 3 phases")
    display.show(.phaseBegan(name: "warm", number: 1, of: 3, plannedNanoseconds: 5_000_000_000), at: 0)
    return display
  }

  @Test func `A transient line is overwritten, and the line of a phase's end stays`() {
    let display = display(Terminal(hasColor: false) { 80 })
    display.show(.finishing(what: "checking every row"), at: 1)
    display.show(.phaseEnded(name: "warm", end: .reached, nanoseconds: 5_000_000_000), at: 2)
    display.clear()
    let erase = "\r\u{1b}[2K"
    #expect(
      output.text == "stalled-reader: 3 phases\n  phase 1/3 warm: begins, at most 5 s" + erase
        + "  checking every row" + erase + "  phase 1/3 warm: ended after 5.0 s\n"
    )
  }

  @Test func `Clearing erases the transient line once`() {
    let display = display(Terminal(hasColor: false) { 80 })
    display.clear()
    display.clear()
    #expect(output.text == "stalled-reader: 3 phases\n  phase 1/3 warm: begins, at most 5 s\r\u{1b}[2K")
  }

  @Test func `A narrow terminal keeps its last column free`() {
    _ = display(Terminal(hasColor: false) { 25 })
    #expect(output.text == "stalled-reader: 3 phases\n  phase 1/3 warm: begins")
    #expect("  phase 1/3 warm: begins".count == 24)
  }

  @Test func `Colour is used only if it is wanted`() {
    display(Terminal(hasColor: true) { 80 }).show(.phaseEnded(name: "warm", end: .reached, nanoseconds: 1), at: 1)
    #expect(output.text.hasSuffix("\r\u{1b}[2K\u{1b}[32m  phase 1/3 warm: ended after 0.0 s\u{1b}[0m\n"))
    #expect(Terminal.wantsColor([:]))
    #expect(Terminal.wantsColor(["NO_COLOR": ""]))
    #expect(!Terminal.wantsColor(["NO_COLOR": "1"]))
  }

  @Test func `A dumb terminal and an unknown one get plain lines`() {
    #expect(Terminal.canRewrite(["TERM": "xterm"]))
    #expect(!Terminal.canRewrite(["TERM": "dumb"]))
    #expect(!Terminal.canRewrite([:]))
  }

  @Test func `A terminal that accepts no output does not delay the run`() {
    let stopped = CapturedOutput(isReady: false)
    let display = ProgressDisplay(output: stopped, terminal: Terminal(hasColor: false) { 80 })
    display.show(.finishing(what: "checking every row"), at: 0)
    #expect(stopped.text.isEmpty)
  }

  @Test func `The status of a series is overwritten on a terminal, and shown every half minute elsewhere`() {
    func show(_ terminal: Terminal?) -> String {
      let output = CapturedOutput()
      let display = ProgressDisplay(output: output, terminal: terminal)
      for seconds: UInt64 in [0, 29, 30, 31] { display.showStatus("pair \(seconds)", at: seconds * 1_000_000_000) }
      display.clear()
      return output.text
    }
    let erase = "\r\u{1b}[2K"
    let lines = ["pair 0", "pair 29", "pair 30", "pair 31", ""]
    #expect(show(Terminal(hasColor: false) { 80 }) == lines.joined(separator: erase))
    #expect(show(nil) == "pair 0\npair 30\n")
  }

  @Test func `Without a terminal nothing but lines is written`() {
    let display = display(nil)
    display.show(.phaseEnded(name: "warm", end: .reached, nanoseconds: 5_000_000_000), at: 1)
    display.clear()
    #expect(
      output.lines == [
        "stalled-reader: 3 phases", "  phase 1/3 warm: begins, at most 5 s", "  phase 1/3 warm: ended after 5.0 s",
      ]
    )
    #expect(!output.text.contains("\u{1b}"))
  }
}
