internal import Foundation
internal import HarnessPrimitives
internal import TestSupport

@testable import BenchResults
@testable import BenchScenario

/// The problems of a text, as they are printed.
func problems(in text: String, overrides: [ScenarioOverride] = []) -> [String] {
  do {
    _ = try ScenarioLoader.load(text: text, file: "s.yaml", overrides: overrides)
    return []
  } catch {
    return error.diagnostics.map(\.description)
  }
}

/// The problems of bytes that may not be text.
func problems(inBytes bytes: [UInt8]) -> [String] {
  do {
    _ = try ScenarioLoader.load(bytes, file: "s.yaml")
    return []
  } catch {
    return error.diagnostics.map(\.description)
  }
}

/// A small scenario without problems. Tests change its lines.
let smallScenario = """
  format: 1
  name: small
  summary: A reader and a writer.
  seed: 7
  engine: {driver: yap, synchronous: normal}
  dataset:
    items: {rows: 1k, value: {size: 64B}}
  connections:
    one: {objectCacheLimit: 10}
    two: {}
  actors:
    read:
      connection: one
      operations: {get: 9, multiGet(4): 1}
      collection: items
      keys: zipfian(0.99)
      load: closed
    write:
      connection: two
      operations: {set: 1}
      collection: items
      load: {rate: 100/s, arrival: poisson}
  phases:
    - name: run
      for: 2s
      actors: [read, write]
  measure: {every: 50ms}
  expect:
    - "run/write response.p99 < 50ms"
  invariants: [knownAnswers]
  """

/// The small scenario with one line, counted from 1, replaced by one or more lines.
func smallScenario(line: Int, _ replacement: String) -> String {
  var lines = smallScenario.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  lines[line - 1] = replacement
  return lines.joined(separator: "\n")
}

/// Returns 2,000 copies of `text` in each of which up to three random bytes are replaced by bytes of `marks`.
func damagedCopies(of text: String, by marks: String, seed: UInt64) -> [[UInt8]] {
  var random = RandomStream(seed: seed)
  return (0..<2_000).map { _ in
    var bytes = Array(text.utf8)
    for _ in 0..<3 { bytes[random.below(bytes.count)] = random.pick(Array(marks.utf8)) }
    return bytes
  }
}
