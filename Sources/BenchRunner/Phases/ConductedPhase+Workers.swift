internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// The threads of the phase.
extension ConductedPhase {
  /// Starts every worker and the thread of the events; they wait for the gate.
  func startWorkers() throws -> [WorkerThread] {
    var threads: [WorkerThread] = []
    do {
      for actor in actors {
        for thread in 0..<actor.settings.threads {
          // The worker's recorder is allocated here, so that the worker does not begin with the allocation.
          let worker = Worker(actor, thread: thread, number: threads.count)
          actor.timings.prepare(spares: 1)
          threads.append(
            try WorkerThread(name: actor.settings.name) {
              var worker = worker
              worker.run()
            }
          )
        }
      }
      if let events { threads.append(try WorkerThread(name: EventResult.actorName) { events.run() }) }
      return threads
    } catch {
      running.end(at: 0)
      let workers = running.settings.actors.reduce(0) { $0 + $1.settings.threads }
      for missing in threads.count..<max(workers, threads.count) { running.turns?.leave(missing) }
      running.begin(at: MonotonicClock.now)
      for thread in threads { thread.join() }
      throw RunError(
        problem: "phase \"\(running.settings.name)\": \(error)",
        remedy: "give its actors fewer threads, or raise the limit of threads (ulimit -u)"
      )
    }
  }

  /// The names of actors with workers that have not ended, and the events' name if their thread still runs.
  var workingActors: [String] {
    actors.filter(\.isWorking).map(\.settings.name) + (events?.isRunning ?? false ? [EventResult.actorName] : [])
  }

  /// The events that have begun and not ended, as text.
  var unfinishedEvents: [String] { (events?.log.unfinished ?? []).map { "\($0.action)" } }
}
