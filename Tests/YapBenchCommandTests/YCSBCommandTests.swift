import BenchResults
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
    #expect(trial.errors.text == "\(file): note: mongodb.url has no equivalent in a scenario\n")
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
