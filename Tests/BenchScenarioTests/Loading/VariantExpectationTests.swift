import BenchResults
import Testing

@testable import BenchScenario

@Suite("Expectations that name variants") struct VariantExpectationTests {
  private func load(_ expectations: String..., matrix: String) throws(ScenarioDiagnostics) -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        {format: 1, name: v, summary: V., seed: 1, connections: {ui: {}},
         dataset: {rows: {rows: 10, value: {size: 100B}}},
         actors: {show: {connection: ui, operations: {get: 1}, collection: rows}},
         phases: [{name: run, for: 1s, actors: [show]}],
         matrix: {\(matrix)}, repeat: 3,
         expect: [\(expectations.map { "\"\($0)\"" }.joined(separator: ", "))]}
        """
    )
  }

  private func problem(_ expectation: String, matrix: String) -> String? {
    do throws(ScenarioDiagnostics) {
      _ = try load(expectation, matrix: matrix)
      return nil
    } catch { return error.diagnostics.first?.message }
  }

  private let policies = "engine.defaultObjectPolicy: [containment, copy, share]"
  private let limits = "connections.ui.objectCacheLimit: [1k, 10k]"

  @Test func `an expectation of one variant belongs to that variant alone`() throws {
    let loaded = try load(
      "[share] run/show service.p50 < 5us",
      "run/show service.p50 < 5ms",
      "[share,10k] run/show service.p50 < 4us",
      matrix: policies + ", " + limits
    )
    #expect(loaded.variants.map(\.scenario.expectations.count) == [1, 1, 1, 1, 2, 3])
    #expect(loaded.variants.allSatisfy { $0.scenario.variantExpectations.isEmpty })
  }

  @Test func `every variant has the comparisons of variants`() throws {
    let loaded = try load(
      "[share] run/show service.p50 < [containment] run/show service.p50",
      matrix: policies
    )
    #expect(loaded.variants.map(\.scenario.expectations.count) == [0, 0, 0])
    #expect(loaded.variants.map(\.scenario.variantExpectations.count) == [1, 1, 1])
  }

  @Test func `the counterpart has the chosen value and all others in common`() throws {
    let settings = try load(matrix: policies + ", " + limits).variants.map(\.settings)
    let copy = VariantChoice("copy")
    #expect(settings.map { copy.counterpart(of: $0, among: settings) } == [2, 3, 2, 3, 2, 3])
    let one = VariantChoice("objectCacheLimit=1k, defaultObjectPolicy=share")
    #expect(settings.map { one.counterpart(of: $0, among: settings) } == [4, 4, 4, 4, 4, 4])
    #expect(VariantChoice("copy").counterpart(of: settings[0], among: [settings[0]]) == nil)
  }

  @Test func `a choice without a variant, and one that is not definite, are mistakes`() {
    #expect(
      problem("[shared] run/show service.p50 < 5us", matrix: policies)
        == "there is no variant \"shared\"; did you mean \"share\"?"
    )
    #expect(
      problem("run/show service.p50 < [share,copy] run/show service.p50", matrix: policies)?
        .hasPrefix("there is no variant \"share,copy\"") == true
    )
    #expect(
      problem(
        "[share] run/show service.p50 < 5us",
        matrix: policies + ", engine.defaultMetadataPolicy: [containment, copy, share]"
      ) == "\"share\" is a value of several keys of the matrix; write KEY=VALUE"
    )
    #expect(
      problem("[share] run/show service.p50 < [share] run/show service.p99", matrix: policies)
        == "both figures are of the same variant; leave out the brackets before the second"
    )
    #expect(problem("run/show service.p50 <= [share] run/show service.p50", matrix: policies) == nil)
    #expect(problem("[] run/show service.p50 < 5us", matrix: policies) != nil)
    #expect(
      problem("[share] run/show service.p50 == [copy] run/show service.p50", matrix: policies)
        == "figures of two variants are never exactly equal; expected one of < <= > >="
    )
  }

  @Test func `a figure is checked only in the variants to which it belongs`() {
    let drivers = "engine.driver: [yap, sqlite]"
    #expect(problem("[yap] run cache.object.hits.sum > 90%", matrix: drivers) == nil)
    #expect(problem("[sqlite] run cache.object.hits.sum > 90%", matrix: drivers) != nil)
    #expect(problem("[yap] run/show service.p50 < [sqlite] run/show service.p50", matrix: drivers) == nil)
    #expect(problem("[yap] run cache.object.hits.sum > [sqlite] run cache.object.hits.sum", matrix: drivers) != nil)
    #expect(problem("[yap] run/show service.p50 < [sqlite] runs/show service.p50", matrix: drivers) != nil)
  }
}
