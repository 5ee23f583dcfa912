internal import ArgumentParser
internal import BenchModel

struct SchemaCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Writes the language of scenarios as a JSON Schema, for editors.",
    discussion: """
      An editor that knows YAML's language server completes and checks a \
      scenario by it, with a first line in the file such as:
        # yaml-language-server: $schema=scenario.schema.json

      Examples:
        yapbench schema > scenario.schema.json
        yapbench schema --reference > scenario-reference.md
      """
  )

  @Flag(name: .customLong("reference"), help: "Writes the language's reference as Markdown instead.")
  var isReference = false

  func perform(in context: CommandContext) -> Int32 {
    context.output.write(isReference ? ScenarioReference.text : ScenarioSchema.text)
    return ExitStatus.allHeld.rawValue
  }
}
