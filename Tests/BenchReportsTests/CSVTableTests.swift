import Testing

@testable import BenchReports

struct CSVTableTests {
  private func cell(_ cell: CSVTable.Cell) -> String {
    var table = CSVTable(columns: ["only"])
    table.append([cell])
    return String(table.contents.dropFirst("only\n".count).dropLast())
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""), ("two\nlines", "\"two\nlines\""),
    ("two\r\nlines", "\"two\r\nlines\""), ("ümlaut", "ümlaut"), ("", ""),
  ])
  func `Text is quoted only if necessary, and its quotes are doubled`(text: String, written: String) {
    #expect(cell(.text(text)) == written)
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])
  func `Text that a spreadsheet would evaluate gets an apostrophe`(text: String) {
    #expect(cell(.text(text)) == "'" + text)
  }

  @Test func `A defused cell is still quoted`() {
    #expect(cell(.text("=cmd(\"a\",1)")) == "\"'=cmd(\"\"a\"\",1)\"")
    #expect(cell(.text("\r=1")) == "\"'\r=1\"")
  }

  @Test func `Control characters and changes of direction are written as their codes`() {
    #expect(cell(.text("a\u{1b}[31mb\u{202e}c\u{0}")) == "aU+001B[31mbU+202EcU+0000")
    #expect(cell(.text("a\tb")) == "a\tb")
  }

  @Test func `Numbers are written without exponents and in full precision`() {
    #expect(cell(.integer(-3)) == "-3")
    #expect(cell(.decimal(-0.5)) == "-0.5")
    #expect(cell(.decimal(1_234.56789)) == "1234.56789")
    #expect(cell(.decimal(0.000012)) == "0.000012")
    #expect(cell(.decimal(2_000)) == "2000")
    #expect(cell(.unsigned(18_446_744_073_709_551_615)) == "18446744073709551615")
  }

  @Test func `Nanoseconds become exact seconds`() {
    #expect(cell(.seconds(nanoseconds: 0)) == "0")
    #expect(cell(.seconds(nanoseconds: 1)) == "0.000000001")
    #expect(cell(.seconds(nanoseconds: 36_100_000_000)) == "36.1")
    #expect(cell(.seconds(nanoseconds: 10_000_000_000)) == "10")
  }

  @Test func `Missing figures and figures that are not numbers are blank`() {
    #expect(cell(.missing) == "")
    #expect(cell(.optional(Optional<String>.none)) == "")
    #expect(cell(.decimal(.nan)) == "")
    #expect(cell(.decimal(.infinity)) == "")
  }
}
