import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

@Suite("An estimate of the memory that a scenario needs") struct MemoryEstimateTests {
  private static let mebibyte = 1 << 20

  private func estimate(
    threads: Int = 1,
    digits: Int = 3,
    matrix: String = "",
    _ changes: [String: String] = [:]
  ) throws -> MemoryEstimate {
    let text = """
      format: 1
      name: memory
      seed: 1
      summary: Readers of five kinds.
      engine: {driver: yap}
      dataset: {rows: {rows: 1k, value: {size: 64B}, metadata: {size: 32B}}}
      connections: {one: {}}
      actors:
        read:
          connection: one
          threads: \(threads)
          operations: {get: 1, getMetadata: 1, getRow: 1, exists: 1, multiGet(4): 1}
          collection: rows
      phases: [{name: run, for: 300ms, actors: [read]}]
      measure: {histogramDigits: \(digits)}
      \(matrix)
      """
    let overrides = changes.sorted { $0.key < $1.key }.map { ScenarioOverride(path: $0.key, value: $0.value) }
    return MemoryEstimate(try ScenarioLoader.load(text: text, overrides: overrides))
  }

  private func bytes(_ estimate: MemoryEstimate, _ name: String) -> Int {
    estimate.parts.first { $0.name == name }?.bytes ?? 0
  }

  @Test func `is the sum of its parts, the largest first`() throws {
    let estimate = try estimate(threads: 256)
    #expect(estimate.bytes == estimate.parts.reduce(0) { $0 + $1.bytes })
    #expect(estimate.parts.map(\.bytes) == estimate.parts.map(\.bytes).sorted(by: >))
    #expect(estimate.parts.allSatisfy { $0.bytes >= 0 })
    #expect(estimate.parts.first?.name == "latency histograms")
  }

  @Test func `grows with threads, digits, connections, caches, rows and samples`() throws {
    let small = try estimate()
    #expect(small.bytes < 100 * Self.mebibyte)
    let threads = try estimate(threads: 128)
    #expect(bytes(threads, "latency histograms") == 128 * bytes(small, "latency histograms"))
    #expect(bytes(threads, "worker threads") == 128 * bytes(small, "worker threads"))
    #expect(bytes(try estimate(digits: 5), "latency histograms") > 50 * bytes(small, "latency histograms"))
    #expect(try estimate(threads: 1_024, digits: 5).bytes > 64 << 30)
    let pool = try estimate(["connections.one.count": "100"])
    #expect(bytes(pool, "connections") == 100 * bytes(small, "connections"))
    let cached = try estimate(["connections.one.objectCacheLimit": "1000"])
    #expect(bytes(cached, "connections") > bytes(small, "connections"))
    #expect(bytes(try estimate(["dataset.rows.rows": "10M"]), "rows and views") >= 160_000_000)
    // Two words of expected contents and the commit for each insert; the order of keys only where it is scanned.
    let inserts = try estimate(["dataset.rows.inserts": "10M"])
    #expect(bytes(inserts, "rows and views") - bytes(small, "rows and views") == 240_000_000)
    let hashed = ["dataset.rows.inserts": "10M", "dataset.rows.key": "hashed"]
    #expect(bytes(try estimate(hashed), "rows and views") == bytes(inserts, "rows and views"))
    let scanned = try estimate(hashed.merging(["actors.read.operations": "{scan(5): 1}"]) { $1 })
    #expect(bytes(scanned, "rows and views") > bytes(inserts, "rows and views") + 240_000_000)
    let buffered = try estimate(["engine.driver": "rocksdb"])
    #expect(bytes(buffered, "the engine's shared cache and buffers") == (64 + 2 * 2 * 64) << 20)
    #expect(bytes(small, "the engine's shared cache and buffers") == 0)
    let sampled = try estimate(["measure.every": "1ms", "phases.run.for": "1000s"])
    #expect(bytes(sampled, "samples and results") > 1_000_000_000)
  }

  @Test func `includes a histogram for each outcome of a read, with a driver that reports outcomes`() throws {
    // Of the five operations, three read one row. Each also has its service times; the waits for the lane and the times
    // of disturbed transactions are the last.
    let counted = bytes(try estimate(), "latency histograms")
    let plain = bytes(try estimate(["engine.driver": "sqlite"]), "latency histograms")
    #expect(counted * 14 == plain * (14 + 3 * 3))
  }

  @Test func `includes a second recorder for each thread if a phase lasts longer than a second`() throws {
    let short = try estimate(threads: 8)
    let long = try estimate(threads: 8, ["phases.run.for": "2s"])
    #expect(bytes(long, "latency histograms") == 2 * bytes(short, "latency histograms"))
  }

  @Test func `is that of the variant that needs most`() throws {
    let matrix = try estimate(matrix: "matrix: {dataset.rows.rows: [1k, 1M, 10]}")
    let large = try estimate(["dataset.rows.rows": "1M"])
    #expect(bytes(matrix, "rows and views") == bytes(large, "rows and views"))
    // The results of all variants are kept.
    #expect(bytes(matrix, "samples and results") > bytes(large, "samples and results"))
  }

  @Test func `does not overflow`() throws {
    let estimate = try estimate(threads: 1_024, digits: 5, ["phases.run.for": "900h", "measure.every": "1h"])
    #expect(estimate.bytes > 0)
  }
}

@Suite("The memory that is available") struct AvailableMemoryTests {
  private static let machine = "MemTotal:  24683520 kB\nMemFree: 1 kB\nMemAvailable:   24240128 kB\n"

  private func available(_ files: [String: String]) -> AvailableMemory? {
    AvailableMemory.current { files[$0] ?? "" }
  }

  @Test func `is the machine's where no control group limits it`() {
    let expected = AvailableMemory(bytes: 24_240_128 << 10, source: .machine)
    #expect(available(["/proc/meminfo": Self.machine]) == expected)
    let files = [
      "/proc/meminfo": Self.machine, "/proc/self/cgroup": "0::/user.slice/run\n",
      "/sys/fs/cgroup/user.slice/run/memory.max": "max\n",
      "/sys/fs/cgroup/user.slice/run/memory.current": "1000000\n",
    ]
    #expect(available(files) == expected)
  }

  @Test func `is the rest of the control group's or its ancestors' limit, without droppable files`() {
    let files = [
      "/proc/meminfo": Self.machine, "/proc/self/cgroup": "0::/outer/inner\n",
      "/sys/fs/cgroup/outer/inner/memory.max": "9000000\n", "/sys/fs/cgroup/outer/inner/memory.current": "0\n",
      "/sys/fs/cgroup/outer/memory.max": "8000000\n", "/sys/fs/cgroup/outer/memory.current": "5000000\n",
      "/sys/fs/cgroup/outer/memory.stat": "anon 1\ninactive_file 2000000\nactive_file 7\n",
    ]
    let expected = AvailableMemory(bytes: 5_000_000, source: .controlGroup(limitBytes: 8_000_000))
    #expect(available(files) == expected)
  }

  @Test func `supports version 1, whose huge number means no limit`() {
    var files = [
      "/proc/meminfo": Self.machine, "/proc/self/cgroup": "5:cpu,memory:/docker/x\n1:name=systemd:/\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "7000000\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "9000000\n",
    ]
    #expect(available(files) == AvailableMemory(bytes: 0, source: .controlGroup(limitBytes: 7_000_000)))
    files["/sys/fs/cgroup/memory/memory.limit_in_bytes"] = "9223372036854771712\n"
    #expect(available(files)?.source == .machine)
  }

  @Test func `is unknown without the system's figures, and known on this machine`() {
    #expect(available([:]) == nil)
    #expect((AvailableMemory.current()?.bytes ?? 0) > 1 << 20)
  }
}
