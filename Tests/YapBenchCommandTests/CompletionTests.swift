import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct CompletionTests {
  private let trial = Trial()

  @Test(arguments: [("bash", "complete "), ("zsh", "#compdef yapbench"), ("fish", "complete -c ")])
  func `A script for each shell has every verb, and completes files`(shell: String, sign: String) {
    #expect(trial.run("--generate-completion-script", shell) == 0)
    let script = trial.output.text
    #expect(script.contains(sign))
    for verb in ["new", "check", "explain", "list", "run", "report", "export", "inspect", "schema", "ycsb", "bench"] {
      #expect(script.contains(verb))
    }
    for option in ["template", "set", "only", "smoke"] { #expect(script.contains(option)) }
    #expect(script.contains("yaml"))
    #expect(script.contains("stalled-reader"))
    #expect(trial.errors.text.isEmpty)
  }

  @Test func `Bash reads its script`() throws {
    #expect(trial.run("--generate-completion-script", "bash") == 0)
    let folder = try TemporaryFolder()
    let file = try folder.write(trial.output.text, to: "yapbench.bash")
    let bash = Process()
    bash.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    bash.arguments = ["bash", "-c", "source \"$0\" && complete -p yapbench", file]
    bash.standardOutput = FileHandle.nullDevice
    try bash.run()
    bash.waitUntilExit()
    #expect(bash.terminationStatus == 0)
  }
}
