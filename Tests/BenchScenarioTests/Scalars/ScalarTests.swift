internal import Testing

@testable import BenchResults
@testable import BenchScenario

/// The message with which a parser rejects a text, or nil.
private func message<Value>(_ parse: () throws(ScalarProblem) -> Value) -> String? {
  do {
    _ = try parse()
    return nil
  } catch {
    return error.message
  }
}

@Suite("Scalars")
struct ScalarTests {
  @Test(
    "durations become nanoseconds",
    arguments: [
      ("0s", 0), ("1ns", 1), ("250us", 250_000), ("250\u{b5}s", 250_000), ("1.5\u{3bc}s", 1_500), ("5ms", 5_000_000),
      ("2s", 2_000_000_000), ("1m", 60_000_000_000),
      ("1h", 3_600_000_000_000), ("1.5s", 1_500_000_000), ("0.001us", 1), ("1_000ms", 1_000_000_000),
      ("9223372036854775807ns", 9_223_372_036_854_775_807),
    ] as [(String, UInt64)]
  )
  func duration(_ text: String, _ nanoseconds: UInt64) throws {
    #expect(try Scalars.durationOrZero.parse(text) == nanoseconds)
  }

  @Test(
    "invalid durations are rejected with the reason",
    arguments: [
      ("", nil), ("fast", nil), ("5 s", "write it without a space: 5s"), (".5s", nil), ("5.s", nil),
      ("5..s", nil), ("1._5s", nil), ("_5s", nil), ("5_s", nil), ("+5s", nil), ("NaN", nil), ("inf", nil),
      ("-5s", "it cannot be negative"), ("5", "a bare number has no unit: write one of 5us, 5ms, 5s, 5m, 5h"),
      ("5S", "the unit \"S\" is unknown, did you mean \"s\"?"),
      ("5MIN", "the unit \"MIN\" is unknown, did you mean \"m\"?"),
      ("5usec", "the unit \"usec\" is unknown, did you mean \"us\"?"),
      ("5µsec", "the unit \"µsec\" is unknown, did you mean \"us\"?"),
      ("5hours", "the unit \"hours\" is unknown, did you mean \"h\"?"),
      ("1e3s", "the unit \"e3s\" is unknown; expected one of ns, us, ms, s, m, h"),
      ("0x5s", "the unit \"x5s\" is unknown; expected one of ns, us, ms, s, m, h"),
      // Near in letters, and wrong by a factor.
      ("5ps", "the unit \"ps\" is unknown; expected one of ns, us, ms, s, m, h"),
      ("5d", "the unit \"d\" is unknown; expected one of ns, us, ms, s, m, h"),
      ("5 µs", "write it without a space: 5µs"),
      ("٥s", nil), ("0.5ns", "it is finer than 1 ns"), ("9223372036854775808ns", "it is too large"),
      ("18446744073709551616s", "it is too large"), ("18446744073709551615h", "it is too large"),
      ("0.00000000000000000001s", "it is finer than 1 ns"), ("1.00000000000000000000s", "it is too large"),
    ]
  )
  func noDuration(_ text: String, _ reason: String?) {
    let expected = "expected a duration such as 250us, 5ms, 2s, 1m or 1h, found \"\(text)\""
    #expect(
      message { () throws(ScalarProblem) in try Scalars.durationOrZero.parse(text) } == expected
        + (reason.map { "; " + $0 } ?? "")
    )
  }

  @Test(
    "sizes become bytes",
    arguments: [
      ("512B", 512), ("4KiB", 4096), ("4MiB", 4 << 20), ("1GiB", 1 << 30), ("2kB", 2000), ("3MB", 3_000_000),
      ("1.5KiB", 1536), ("0B", 0),
    ]
  )
  func size(_ text: String, _ bytes: Int) throws {
    #expect(try Scalars.sizeOrZero.parse(text) == bytes)
  }

  @Test("invalid sizes are rejected", arguments: ["4096", "4K", "4kb", "-1B", "0.3B", "8388608TiB", "MiB", "1e309B"])
  func noSize(_ text: String) {
    let found = message { () throws(ScalarProblem) in try Scalars.sizeOrZero.parse(text) }
    #expect(found?.hasPrefix("expected a size such as 512B, 4KiB, 4MiB or 1GiB, found \"\(text)\"") == true)
  }

  @Test(
    "a unit that may be decimal or binary is refused with the sizes of both",
    arguments: [
      ("4K", #"the unit "K" is unknown, did you mean "kB" (1000) or "KiB" (1024)?"#),
      ("4KB", #"the unit "KB" is unknown, did you mean "kB" (1000) or "KiB" (1024)?"#),
      ("4mb", #"the unit "mb" is unknown, did you mean "MB" (1000000) or "MiB" (1048576)?"#),
      ("4G", #"the unit "G" is unknown, did you mean "GB" (1000000000) or "GiB" (1073741824)?"#),
      ("4kib", #"the unit "kib" is unknown, did you mean "KiB"?"#),
      ("4Mi", #"the unit "Mi" is unknown, did you mean "MiB"?"#),
      ("4bytes", #"the unit "bytes" is unknown, did you mean "B"?"#),
    ]
  )
  func ambiguousSize(_ text: String, _ reason: String) {
    let found = message { () throws(ScalarProblem) in try Scalars.sizeOrZero.parse(text) }
    #expect(found?.hasSuffix("; " + reason) == true, "\(found ?? "accepted")")
  }

  @Test(
    "counts are whole",
    arguments: [("0", 0), ("50000", 50_000), ("50_000", 50_000), ("50k", 50_000), ("2M", 2_000_000), ("1.5k", 1500)]
  )
  func count(_ text: String, _ value: Int) throws {
    #expect(try Scalars.countOrZero.parse(text) == value)
  }

  @Test(
    "invalid counts are rejected",
    arguments: ["", "many", "-1", "1.5", "5K", "9223372036854775808", "1e3", "k", "5__0x"]
  )
  func noCount(_ text: String) {
    let found = message { () throws(ScalarProblem) in try Scalars.countOrZero.parse(text) }
    #expect(found?.hasPrefix("expected a count such as 50000, 50_000, 50k or 2M, found \"\(text)\"") == true)
  }

  @Test(
    "rates are per second",
    arguments: [("200/s", 200), ("5/ms", 5000), ("30/min", 0.5), ("0.5/s", 0.5), ("2k/s", 2000), ("0/s", 0)]
      as [(String, Double)]
  )
  func rate(_ text: String, _ perSecond: Double) throws {
    #expect(try Scalars.rateOrZero.parse(text) == perSecond)
  }

  @Test(
    "invalid rates are rejected",
    arguments: ["200", "200/h", "-1/s", "NaN/s", "inf/s", "1e309/s", "/s", "5/", "5/s/s", "5 /s"]
  )
  func noRate(_ text: String) {
    let found = message { () throws(ScalarProblem) in try Scalars.rateOrZero.parse(text) }
    #expect(found?.hasPrefix("expected a rate such as 200/s, 5/ms or 30/min, found \"\(text)\"") == true)
  }

  @Test("shares are fractions of 1")
  func share() throws {
    #expect(try Scalars.share.parse("20%") == 0.2)
    #expect(try Scalars.share.parse("100%") == 1)
    #expect(abs(try Scalars.share.parse("85.7%") - 0.857) < 1e-12)
  }

  @Test("invalid shares are rejected", arguments: ["20", "0%", "101%", "-5%", "%", "NaN%", "0.2"])
  func noShare(_ text: String) {
    let found = message { () throws(ScalarProblem) in try Scalars.share.parse(text) }
    #expect(found?.hasPrefix("expected a share such as 20%, above 0% and at most 100%, found \"\(text)\"") == true)
  }

  @Test("ranges have two ends, or one count for both")
  func range() throws {
    #expect(try Scalars.range.parse("1..8") == 1...8)
    #expect(try Scalars.range.parse("4") == 4...4)
    #expect(try Scalars.range.parse("1k..2k") == 1000...2000)
  }

  @Test("invalid ranges are rejected", arguments: ["8..1", "1..", "..8", "1...8", "1-8", "a..b", ""])
  func noRange(_ text: String) {
    #expect(message { () throws(ScalarProblem) in try Scalars.range.parse(text) } != nil)
  }

  @Test("names have only certain characters")
  func names() throws {
    #expect(try Scalars.name.parse("a-B_9") == "a-B_9")
    for text in ["", "a b", "a/b", "a.b", "ä", "a\n", String(repeating: "a", count: 65)] {
      #expect(message { () throws(ScalarProblem) in try Scalars.name.parse(text) } != nil)
    }
  }

  @Test("a message quotes the found text on one line, shortened")
  func quoting() {
    #expect(quoted("a\nb\t\u{1}") == "\"a\\nb\\t\\u{1}\"")
    #expect(quoted(String(repeating: "a", count: 100)).count == 63)
  }
}
