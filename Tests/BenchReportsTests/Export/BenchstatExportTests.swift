import BenchResults
import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports

struct BenchstatExportTests {
  /// Reads the format like golang.org/x/perf/benchfmt: every line is a result, a unit's metadata, a key with a value,
  /// or empty.
  private struct Reader {
    var results: [(name: String, iterations: Int, values: [String: Double])] = []
    var configuration: [String: String] = [:]
    var units: [String: String] = [:]
    var problems: [String] = []

    init(_ text: String) {
      for line in text.split(separator: "\n").map(String.init) {
        if line.hasPrefix("Benchmark") {
          readResult(line)
        } else if line.hasPrefix("Unit ") {
          let fields = line.split(whereSeparator: \.isWhitespace).map(String.init)
          guard fields.count == 3, fields[2].contains("=") else { problems.append(line); continue }
          units[fields[1]] = fields[2]
        } else {
          readConfiguration(line)
        }
      }
    }

    private mutating func readResult(_ line: String) {
      let fields = line.dropFirst("Benchmark".count).split(whereSeparator: \.isWhitespace).map(String.init)
      guard fields.count >= 4, fields.count.isMultiple(of: 2), let iterations = Int(fields[1]) else {
        return problems.append(line)
      }
      var values: [String: Double] = [:]
      for place in stride(from: 2, to: fields.count, by: 2) {
        guard let value = Double(fields[place]) else { return problems.append(line) }
        values[fields[place + 1]] = value
      }
      results.append((fields[0], iterations, values))
    }

    private mutating func readConfiguration(_ line: String) {
      guard let colon = line.firstIndex(of: ":") else { return problems.append(line) }
      let key = line[..<colon]
      let isKey = key.first?.isLowercase == true && !key.contains { $0.isWhitespace || $0.isUppercase }
      let value = line[line.index(after: colon)...]
      guard isKey, value.hasPrefix(" ") else { return problems.append(line) }
      configuration[String(key)] = String(value.dropFirst())
    }
  }

  @Test func `The format's reader accepts each line`() throws {
    let reader = try Reader(BenchstatExport.text(of: StalledReaderRun.scenario))
    #expect(reader.problems.isEmpty)
    #expect(reader.configuration["goos"] == "linux")
    #expect(reader.configuration["commit"]?.hasPrefix("1a2b3c4") == true)
    #expect(reader.units["p99-ns/op"] == "better=lower")
    #expect(reader.units["ops/s"] == "better=higher")
    let name = "Yap/scenario=stalled-reader/phase=stall/actor=import/operation=transaction/kind=response"
    let result = try #require(reader.results.first { $0.name == name })
    let latency = StalledReaderRun.result.histogram(of: "import", "transaction", .response, in: "stall")
    let histogram = try #require(latency)
    #expect(result.iterations == histogram.count)
    #expect(result.values["p99-ns/op"] == Double(histogram.value(atPercentile: 99)))
    #expect(result.values["ns/op"] == histogram.mean)
  }

  @Test func `Each run has its own line, in the order of the runs`() throws {
    let reader = try Reader(BenchstatExport.text(of: PolicyRuns.result))
    let ending = "/phase=stall/actor=import/operation=transaction/kind=response"
    let variants = reader.results.filter { $0.name.hasSuffix(ending) }.compactMap { result in
      result.name.split(separator: "/").first { $0.hasPrefix("variant=") }.map(String.init)
    }
    #expect(
      variants == [
        "variant=policy=share", "variant=policy=containment", "variant=policy=containment", "variant=policy=share",
      ]
    )
  }

  @Test func `Hostile names stay one word`() throws {
    let text = try BenchstatExport.text(of: HostileRun.result)
    for forbidden in HostileRun.forbidden.dropLast() { #expect(!text.contains(forbidden)) }
    let reader = Reader(text)
    #expect(reader.problems.isEmpty)
    #expect(!reader.results.isEmpty)
    let kinds = Set(TimeKind.allCases.map { "kind=\($0.rawValue)" })
    for result in reader.results {
      let parts = result.name.split(separator: "/").map(String.init)
      #expect(parts.count == 7)
      #expect(kinds.contains(parts.last ?? ""))
    }
  }
}
