import BenchResults
import Testing

@testable import BenchRunner

/// The files of the kernel, as containers and `taskset` show them.
@Suite("The limits on processors") struct ProcessorLimitsTests {
  private static let first = """
    9:name=systemd:/
    4:memory:/box
    1:cpu,cpuacct:/box/job
    0::/
    """
  private static let firstMounts = """
    31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
    32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
    33 31 0:30 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
    """
  private static let secondMounts = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

  private func limits(_ files: [String: String], cores: Int = 4) -> ProcessorLimits? {
    ProcessorLimits.current(coreCount: cores) { files[$0] ?? "" }
  }

  @Test func `are those of the tightest group of version 1`() {
    let cpu = "/sys/fs/cgroup/cpu,cpuacct"
    var files = [
      "/proc/self/cgroup": Self.first, "/proc/self/mountinfo": Self.firstMounts,
      "\(cpu)/cpu.cfs_quota_us": "-1\n", "\(cpu)/cpu.cfs_period_us": "100000\n",
      "\(cpu)/box/cpu.cfs_quota_us": "150000\n", "\(cpu)/box/cpu.cfs_period_us": "100000\n",
      "\(cpu)/box/job/cpu.cfs_quota_us": "-1\n", "\(cpu)/box/job/cpu.cfs_period_us": "100000\n",
    ]
    #expect(limits(files)?.quota?.cores == 1.5)
    files["\(cpu)/box/job/cpu.cfs_quota_us"] = "15000\n"
    #expect(limits(files)?.text == "CPU quota of 0.15 cores (15 ms in each 100 ms)")
  }

  @Test func `are those of the tightest group of version 2, also in a container that sees only its own group`() {
    var files = [
      "/proc/self/cgroup": "0::/pod/box\n", "/proc/self/mountinfo": Self.secondMounts,
      "/sys/fs/cgroup/pod/cpu.max": "200000 100000\n", "/sys/fs/cgroup/pod/box/cpu.max": "max 100000\n",
    ]
    #expect(limits(files)?.quota?.cores == 2)
    files["/proc/self/mountinfo"] = Self.secondMounts.replacing(" / /sys", with: " /pod/box /sys")
    files["/sys/fs/cgroup/cpu.max"] = "50000 100000\n"
    #expect(limits(files)?.quota?.cores == 0.5)
    files["/proc/self/cgroup"] = "0::/\n"
    #expect(limits(files)?.quota?.cores == 0.5)
    // The first mount was made outside of the namespace, and shows the groups of the machine.
    files["/proc/self/mountinfo"] =
      Self.secondMounts.replacing(" / /sys", with: " /.. /host/sys") + Self.secondMounts
    files["/host/sys/fs/cgroup/cpu.max"] = "max 100000\n"
    #expect(limits(files)?.quota?.cores == 0.5)
  }

  @Test func `are found at the usual place if the mounts cannot be read`() {
    let first = [
      "/proc/self/cgroup": "3:cpu:/a\n", "/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "1000",
      "/sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "2000",
    ]
    #expect(limits(first)?.quota == ProcessorLimits.Quota(quotaNanoseconds: 1_000_000, periodNanoseconds: 2_000_000))
    #expect(limits(["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "1000 2000"])?.quota?.cores == 0.5)
  }

  @Test(
    arguments: [
      ("0-3", nil), ("0", [0]), ("0-1,3", [0, 1, 3]), ("0-127", nil), ("", nil), ("x", nil), ("3-1", nil),
      ("0-1-2", nil),
      ("1-99999999", nil),
    ] as [(String, [Int]?)]
  )
  func `of an affinity are its processors, unless it has all`(text: String, processors: [Int]?) {
    #expect(limits(["/proc/self/status": "Name:\tx\nCpus_allowed_list:\t\(text)\n"])?.affinity == processors)
  }

  @Test func `are none on a machine without them, or if nothing can be read`() {
    #expect(limits([:]) == nil)
    let files = ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "max 100000\n"]
    #expect(limits(files) == nil)
    for damaged in ["", "\n", "max", "5", "5 0", "-5 100", "99999999999999999999 100000"] {
      #expect(limits(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": damaged]) == nil, "\(damaged)")
    }
  }

  @Test func `count the stopped time of all groups, in the units of both versions`() {
    let files = [
      "/proc/self/cgroup": "1:cpu,cpuacct:/box/job\n0::/pod\n", "/proc/self/mountinfo": Self.firstMounts,
      "/sys/fs/cgroup/cpu,cpuacct/cpu.stat": "nr_periods 0\n",
      "/sys/fs/cgroup/cpu,cpuacct/box/cpu.stat": "nr_periods 9\nnr_throttled 2\nthrottled_time 3000\n",
      "/sys/fs/cgroup/cpu,cpuacct/box/job/cpu.stat": "nr_periods 9\nnr_throttled 1\nthrottled_time 500\n",
      "/sys/fs/cgroup/pod/cpu.stat": "usage_usec 12\nnr_throttled 4\nthrottled_usec 7\n",
    ]
    let probe = ThrottlingProbe { files[$0] ?? "" }
    #expect(probe.current { files[$0] ?? "" } == Throttling(periods: 7, nanoseconds: 10_500))
    #expect(probe.current { _ in "" } == nil)
    #expect(ThrottlingProbe { _ in "" }.current { files[$0] ?? "" } == nil)
  }

  @Test func `make runs incomparable, except for the numbers of the processors`() {
    let quota = ProcessorLimits.Quota(quotaNanoseconds: 15, periodNanoseconds: 100)
    let all: [ProcessorLimits?] = [
      nil, ProcessorLimits(quota: quota, affinity: nil), ProcessorLimits(quota: quota, affinity: [0]),
      ProcessorLimits(quota: nil, affinity: [0, 1]),
      ProcessorLimits(quota: .init(quotaNanoseconds: 30, periodNanoseconds: 100), affinity: nil),
    ]
    var environment = RunEnvironment()
    environment.memoryBytes = 1 << 30
    let machines = all.map { limits in
      environment.processorLimits = limits
      return ComparedMachine(environment)
    }
    for one in machines.indices {
      for other in machines.indices { #expect(machines[one].isSame(as: machines[other]) == (one == other)) }
    }
    environment.processorLimits = ProcessorLimits(quota: quota, affinity: [3])
    #expect(ComparedMachine(environment).isSame(as: machines[2]))
    #expect(
      environment.machineText.hasSuffix(
        "CPU quota of 0.15 cores (1.5e-05 ms in each 0.0001 ms), affinity to processor 3"
      )
    )
    #expect(all[3]?.text == "affinity to processors 0-1")
    #expect(ProcessorLimits(quota: nil, affinity: nil) == nil)
  }
}
