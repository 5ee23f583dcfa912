import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct YCSBCommandTests {
  private let folder: TemporaryFolder
  private let made = MadeUpRunner()
  private var trial = Trial()
  private let text = "recordcount=50\noperationcount=70\nreadproportion=1\nupdateproportion=0\nmongodb.url=x\n"

  init() throws {
    folder = try TemporaryFolder()
    trial.runner = made.runner
  }

  @Test func `A workload is printed as a scenario, with a note on ignored properties`() throws {
    let file = try folder.write(text, to: "workload.c")
    #expect(trial.run("ycsb", "--print", file, "-p", "recordcount=60") == 0)
    #expect(trial.output.text.contains("usertable: {rows: 60,"))
    #expect(trial.errors.text == "\(file):5:1: note: mongodb.url has no equivalent in a scenario\n")
    #expect(made.runs.isEmpty)
  }

  @Test func `Later files replace earlier ones, and the options of run apply`() throws {
    let first = try folder.write(text, to: "workload.c")
    let second = try folder.write("recordcount=80\nthreadcount=2\n", to: "large")
    let words = ["-P", first, "-P", second, "-p", "threadcount=3", "--set", "engine.synchronous=full", "--seed", "7"]
    #expect(trial.run(["ycsb", "--driver", "yap,sqlite", "--out", folder.path + "/out"] + words) == 0)
    let loaded = try #require(made.runs.first?.loaded)
    #expect(loaded.variants.map(\.scenario.engine.driver) == [.yap, .sqlite])
    #expect(loaded.variants.allSatisfy { $0.scenario.engine.synchronous == .full })
    #expect(loaded.scenario.dataset[0].rows == 80 && loaded.scenario.actors[0].threads == 3)
    #expect(loaded.scenario.name == "workload" && loaded.scenario.seed == 7)
  }

  @Test func `The printed scenario has the changed values`() throws {
    let file = try folder.write(text, to: "workload")
    #expect(trial.run("ycsb", file, "--print", "--set", "engine.synchronous=full") == 0)
    #expect(try ScenarioLoader.load(text: trial.output.text).scenario.engine.synchronous == .full)
  }

  @Test func `A wrong file, a wrong path and a driver listed twice are refused`() throws {
    let file = try folder.write(text, to: "workload")
    #expect(trial.run("ycsb") == 64)
    #expect(trial.errors.text.contains("expected a properties file, such as workloads/workloada or -P FILE"))
    #expect(trial.run("ycsb", file, "-P", folder.path + "/none") == 66)
    #expect(trial.run("ycsb", file, "--print", "--set", "engine.synchron=full") == 65)
    #expect(trial.errors.lines.last?.contains("did you mean \"synchronous\"?") == true)
    #expect(trial.run("ycsb", file, "--driver", "yap", "--driver", "yap") == 64)
    #expect(made.runs.isEmpty)
  }

  @Test func `Problems are located, and a missing file exits 66`() throws {
    let file = try folder.write("recordcount=many\noperationcount=1\n", to: "bad")
    #expect(trial.run("ycsb", file) == 65)
    #expect(trial.errors.text.hasPrefix("\(file):1:13: error: expected recordcount to be a whole number"))
    #expect(trial.run("ycsb", folder.path + "/none") == 66)
    #expect(trial.errors.lines.last == "\(folder.path)/none:1:1: error: there is no such file")
    #expect(made.runs.isEmpty)
  }
}
