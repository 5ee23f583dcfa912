extension RunEnvironment {
  /// The machine's name, processor and number of cores, and the limits of the process.
  public var machineText: String {
    let cores = coreCount == 1 ? "1 core" : "\(coreCount) cores"
    let limits = processorLimits.map { ", \($0.text)" } ?? ""
    return "\(machine ?? "a machine without a name"): \(cpu), \(cores)\(limits)"
  }
}

extension RunResult {
  /// The machine, by name, processor, cores and limits. Runs are pooled only if it is equal.
  public var machine: String { environment.machineText }
}

extension ScenarioResult {
  /// The machines of the runs, in the order of their first runs.
  public var machines: [String] { runs.map(\.machine).withoutDuplicates }

  /// The results of each machine, with the variants that ran on it; only this result if all runs are from one machine.
  /// Figures of different machines are never pooled.
  public var byMachine: [ScenarioResult] {
    let machines = machines
    guard machines.count > 1 else { return [self] }
    return machines.map { machine in
      var part = self
      part.runs = runs.filter { $0.machine == machine }
      let own = variants.filter { variant in part.runs.contains { $0.variant == variant.name } }
      if !own.isEmpty { part.variants = own }
      return part
    }
  }
}
