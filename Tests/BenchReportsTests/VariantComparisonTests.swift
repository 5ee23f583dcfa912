import BenchResults
import LatencyMetrics
import Testing

@testable import BenchReports

struct VariantComparisonTests {
  private let comparison = VariantComparison(PolicyRuns.result)

  private func column(_ name: String, of owner: String?, in phase: String = "stall") throws -> ComparedGroup.Column {
    let group = try #require(comparison.groups.first { $0.owner == owner && $0.phase == phase })
    return try #require(group.columns.first { $0.name == name })
  }

  @Test func `Recorded phases are compared by actor, by connection and as a whole`() {
    #expect(
      comparison.groups.map { group in
        ([group.phase, "\(group.kind)"] + [group.owner, group.operation].compactMap { $0 }).joined(separator: " ")
      } == [
        "stall actor scroll", "stall operation scroll get", "stall operation scroll multiGet", "stall actor import",
        "stall operation import replace", "stall operation import set", "stall connection ui", "stall connection sync",
        "stall phase", "drain actor scroll", "drain operation scroll get", "drain operation scroll multiGet",
        "drain connection ui", "drain phase",
      ]
    )
    #expect(comparison.variants.map(\.label) == ["containment", "share"])
  }

  @Test func `A percentile is of all repetitions together, and not the mean of theirs`() throws {
    let column = try column("service_p99_ns", of: "import")
    let figures = column.figures.compactMap { $0 }
    #expect(figures.count == 2)
    // The repetitions have 100 µs and 1 ms. Of all 2,000 durations, 100 are 1 ms long, which is more than 1 %.
    #expect(figures[0].ofRepetitions.map { ($0 / 1_000).rounded() } == [100, 1_000])
    #expect((figures[0].value / 1_000).rounded() == 1_000)
    #expect(figures[0].lowest < figures[0].highest)
    let ratio = try #require(comparison.ratio(of: column, of: 1)?.ratio)
    #expect((ratio - 2).magnitude < 0.01)
    let median = try self.column("service_p50_ns", of: "import").figures[0]
    #expect(((median?.value ?? 0) / 1_000).rounded() == 100)
  }

  private func figure(_ values: [Double?]) -> VariantFigure? {
    VariantFigure(values.enumerated().map { (repetition: $0.offset + 1, value: $0.element) })
  }

  @Test func `Other figures are the median of the repetitions`() throws {
    let figure = try #require(self.figure([3, nil, 1, 10]))
    #expect(figure.value == 3)
    #expect((figure.lowest, figure.highest) == (1, 10))
    #expect(self.figure([4, 1])?.value == 2.5)
    #expect(self.figure([nil, nil]) == nil)
    let throughput = try column("throughput_per_s", of: "import").figures[0]
    #expect(throughput?.ofRepetitions.count == 2)
  }

  @Test func `The caches' actions for other connections' commits are counted by commit`() throws {
    let dropped = try column("cache_dropped_per_commit", of: "ui").figures.map { $0?.value ?? -1 }
    let readAgain = try column("cache_read_again_per_commit", of: "ui").figures.map { $0?.value ?? -1 }
    #expect((dropped[0] - 0.5).magnitude < 0.01)
    #expect(dropped[1] == 0)
    #expect((readAgain[0] - 0.25).magnitude < 0.01)
    #expect(readAgain[1] == 0)
    let updated = try column("cache_updated_by_policy_per_commit", of: "ui").figures.map { $0?.value ?? -1 }
    #expect(updated[0] == 0)
    #expect((updated[1] - 0.5).magnitude < 0.01)
  }

  @Test func `A percentile that too few durations support is not shown`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices {
      result.runs[run].changeTimes(of: "import") { histogram in
        histogram.reset()
        histogram.record(5)
      }
    }
    let comparison = VariantComparison(result)
    let group = try #require(comparison.groups.first { $0.owner == "import" })
    #expect(group.columns.first { $0.name == "service_p99_ns" }?.figures.allSatisfy { $0 == nil } == true)
  }

  @Test func `The moves of a bookmark are listed with its actor's transactions`() throws {
    #expect(comparison.groups.allSatisfy { group in group.columns.allSatisfy { $0.name != "advance_p50_ns" } })
    var result = PolicyRuns.result
    for run in result.runs.indices {
      let transactions = try #require(result.runs[run].transactions("scroll", .service, in: "stall"))
      let moves = OperationResult(name: OperationResult.advance, times: [.service: transactions])
      result.runs[run]["stall"]["scroll"].operations.append(moves)
    }
    let group = try #require(VariantComparison(result).groups.first { $0.owner == "scroll" && $0.phase == "stall" })
    for percentile in ["p50", "p99"] {
      let moves = try #require(group.columns.first { $0.name == "advance_\(percentile)_ns" })
      let transactions = try #require(group.columns.first { $0.name == "service_\(percentile)_ns" })
      #expect(moves.title == "advance \(percentile)")
      #expect(moves.figures.map { $0?.value } == transactions.figures.map { $0?.value })
      #expect(moves.figures[0] != nil)
    }
  }

  @Test func `The times from commits to reads are listed with the actor that reacts`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices {
      let times = try #require(result.runs[run].transactions("scroll", .service, in: "stall"))
      result.runs[run]["stall"]["scroll"].notificationToRead = WaitResult(histogram: times)
    }
    let group = try #require(VariantComparison(result).groups.first { $0.owner == "scroll" && $0.phase == "stall" })
    #expect(group.columns.suffix(2).map(\.name) == ["notification.toRead_p50_ns", "notification.toRead_p99_ns"])
    #expect(group.columns.suffix(2).allSatisfy { $0.figures.allSatisfy { $0 != nil } })
  }

  @Test func `Reads by outcome are a group of their own, without figures of outcomes that did not occur`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices {
      let times = try #require(result.runs[run].transactions("scroll", .service, in: "stall"))
      let isDropped = result.runs[run].variant == "policy=containment"
      var read = OperationResult(name: "getRow", times: [.service: times])
      read.outcomes = isDropped ? [.hit: times, .reread: times] : [.hit: times]
      result.runs[run]["stall"]["scroll"].operations.append(read)
    }
    let comparison = VariantComparison(result)
    let group = try #require(comparison.groups.first { $0.kind == .reads })
    #expect((group.phase, group.owner) == ("stall", "scroll"))
    #expect(
      group.columns.map(\.title) == ["getRow.hit p50", "getRow.reread p50", "getRow.hit p99", "getRow.reread p99"]
    )
    #expect(group.columns[1].name == "getRow.reread_p50_ns")
    let measured = group.columns.map { $0.figures.map { $0 != nil } }
    #expect(measured == [[true, true], [true, false], [true, true], [true, false]])
    let text = ScenarioReport(result: result, command: "").text
    #expect(text.contains("**Reads of single rows by `scroll` in `stall`, by outcome in the cache**"))
    let figure = try #require(VariantsChart.drawings(comparison, scenario: "any"))
    #expect(figure.drawings.contains { $0.description == "scroll in stall: getRow.reread p50" })
  }

  @Test func `The reads of each operation have a table of their own`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices {
      let times = try #require(result.runs[run].transactions("scroll", .service, in: "stall"))
      for name in ["getMetadata", "getRow"] {
        var read = OperationResult(name: name, times: [.service: times])
        read.outcomes = [.hit: times, .miss: times, .reread: times]
        result.runs[run]["stall"]["scroll"].operations.append(read)
      }
    }
    let lines = ScenarioReport(result: result, command: "").text.split(separator: "\n")
    let heads = lines.filter { $0.contains(".hit p50") && $0.contains(".reread p99") }
    #expect(heads.count == 2)
    #expect(heads.allSatisfy { $0.contains(" getMetadata.hit") != $0.contains(" getRow.hit") })
  }

  @Test func `The table has a row for each figure`() throws {
    let rows = CSVReader.rows(VariantsTable.table(of: PolicyRuns.result).contents)
    #expect(
      rows[0].joined(separator: ",")
        == "variant,phase,connection_or_actor,operation,figure,value,min,max,repetitions,ratio,machine"
    )
    #expect(rows.allSatisfy { $0.count == VariantsTable.columns.count })
    let row = try #require(rows.first { $0[0] == "policy=share" && $0[4] == "cache_updated_by_policy_per_commit" })
    #expect(Array(row[1...2]) == ["stall", "ui"])
    #expect(row[8] == "2")
    // Nothing was updated in place under the first policy, so there is no ratio to it.
    #expect(row[9] == "")
    #expect(rows.first { $0[0] == "policy=containment" && $0[4] == "throughput_per_s" }?[9] == "1")
  }
}
