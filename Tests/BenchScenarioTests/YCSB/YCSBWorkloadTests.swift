internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchScenario

@Suite("Workloads of YCSB become scenarios")
struct YCSBWorkloadTests {
  /// YCSB's six core workloads, without the key `workload` and comments.
  static let core: [(name: String, text: String)] = [
    ("workloada", "readproportion=0.5\nupdateproportion=0.5\nscanproportion=0\ninsertproportion=0\n" + zipfian),
    ("workloadb", "readproportion=0.95\nupdateproportion=0.05\nscanproportion=0\ninsertproportion=0\n" + zipfian),
    ("workloadc", "readproportion=1\nupdateproportion=0\nscanproportion=0\ninsertproportion=0\n" + zipfian),
    (
      "workloadd",
      "readproportion=0.95\nupdateproportion=0\nscanproportion=0\ninsertproportion=0.05\nrequestdistribution=latest\n"
    ),
    (
      "workloade",
      "readproportion=0\nupdateproportion=0\nscanproportion=0.95\ninsertproportion=0.05\n" + zipfian
        + "maxscanlength=100\nscanlengthdistribution=uniform\n"
    ),
    (
      "workloadf",
      "readproportion=0.5\nupdateproportion=0\nscanproportion=0\ninsertproportion=0\nreadmodifywriteproportion=0.5\n"
        + zipfian
    ),
  ]

  private static let zipfian = "requestdistribution=zipfian\n"
  private static let common = """
    # A core workload.
    recordcount=1000
    operationcount=1000
    workload=site.ycsb.workloads.CoreWorkload

    readallfields=true


    """

  private func load(
    _ text: String,
    changes: [(name: String, value: String)] = []
  ) throws(ScenarioDiagnostics) -> YCSBWorkload {
    try YCSBWorkload.load([("w", Array(text.utf8))], name: "workload", changes: changes)
  }

  private func problems(_ text: String, changes: [(name: String, value: String)] = []) -> [String] {
    do {
      _ = try load(text, changes: changes)
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  private func line(_ key: String, _ workload: YCSBWorkload) -> String? {
    workload.yaml.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "-" } }.first { $0.hasPrefix(key) }
      .map(String.init)
  }

  @Test(
    "the core workloads become the expected operations and keys",
    arguments: zip(
      core.map(\.text),
      [
        ("{get: 1, replace: 1}", "scrambledZipfian"), ("{get: 19, replace: 1}", "scrambledZipfian"),
        ("{get: 1}", "scrambledZipfian"), ("{get: 19, insert: 1}", "latest"),
        ("{insert: 1, scan(1..100): 19}", "scrambledZipfian"), ("{get: 1, readModifyWrite: 1}", "scrambledZipfian"),
      ]
    )
  )
  func coreWorkloads(_ text: String, _ meaning: (operations: String, keys: String)) throws {
    let workload = try load(Self.common + text)
    #expect(line("operations: {", workload) == "operations: \(meaning.operations)")
    #expect(line("keys:", workload) == "keys: \(meaning.keys)")
    let inserts = meaning.operations.contains("insert") ? "inserts: 100, " : ""
    #expect(
      line("usertable:", workload) == "usertable: {rows: 1000, \(inserts)key: ycsbHashed(1), value: {size: 1000B}}"
    )
    #expect(workload.yaml.contains("The table grows") == !inserts.isEmpty)
    #expect(line("{name: run", workload) == "{name: run, operations: 1000, actors: [client]}")
    #expect(line("load:", workload) == "load: closed")
    #expect(
      workload.notes.map(\.description) == [
        "w:6:1: note: readallfields has no effect: an object is read as a whole"
      ]
    )
  }

  @Test("the scenarios of the repository are the core workloads, with more rows and a duration", arguments: core)
  func scenarios(_ name: String, _ text: String) throws {
    let file = Repository.root.appendingPathComponent("Scenarios/ycsb/\(name).yaml")
    let workload = try YCSBWorkload.load(
      [("w", Array((Self.common + text).utf8))],
      name: name,
      changes: [("recordcount", "100000"), ("operationcount", "0"), ("maxexecutiontime", "5")]
    )
    let loaded = try ScenarioLoader.load(text: workload.yaml).scenario
    try #expect(String(contentsOf: file, encoding: .utf8) == workload.yaml)
    #expect(loaded.actors[0].operations.count <= 2)
  }

  @Test("defaults are those of YCSB's code, not those of its template")
  func defaults() throws {
    let both = try load("recordcount=5\noperationcount=7\nmaxexecutiontime=30")
    #expect(line("{name: run", both) == "{name: run, for: 30s, operations: 7, actors: [client]}")
    let workload = try load("recordcount=5\noperationcount=7")
    #expect(line("operations: {", workload) == "operations: {get: 19, replace: 1}")
    #expect(line("keys:", workload) == "keys: uniform")
    #expect(workload.notes == [])
  }

  @Test("threads, target and time are adopted")
  func client() throws {
    let text = "recordcount=5\nthreadcount=4\ntarget=2000\nmaxexecutiontime=30\ntable=t\nfieldcount=1\nfieldlength=40\n"
    let workload = try load(text + "insertorder=ordered\nrequestdistribution=exponential")
    #expect(line("threads:", workload) == "threads: 4")
    #expect(line("load:", workload) == "load: {rate: 2000/s}")
    #expect(line("{name: run", workload) == "{name: run, for: 30s, actors: [client]}")
    #expect(line("t:", workload) == "t: {rows: 5, key: ycsbOrdered(1), value: {size: 40B}}")
    #expect(line("keys:", workload) == "keys: exponential(95% 85.71428571%)")
    let hotspot = try load(text + "requestdistribution=hotspot\nhotspotdatafraction=0.005\nhotspotopnfraction=1")
    #expect(line("keys:", hotspot) == "keys: hotspot(0.5% 100%)")
  }

  @Test(
    "there is room for twice the expected inserts, and for a hundred or every operation",
    arguments: [
      ("operationcount=1000000\ninsertproportion=0.05", 100_000), ("operationcount=600\ninsertproportion=0.05", 100),
      ("operationcount=60\ninsertproportion=0.05", 60), ("operationcount=1\ninsertproportion=1", 2),
      ("maxexecutiontime=5\ninsertproportion=0.05", 250_000),
      ("maxexecutiontime=10\ntarget=2000\ninsertproportion=0.1", 4_000),
      ("maxexecutiontime=1\ntarget=1\ninsertproportion=0.1", 100),
      ("maxexecutiontime=100000\ninsertproportion=1", 10_000_000),
      ("maxexecutiontime=5\noperationcount=1000000000\ninsertproportion=0.05", 250_000),
      ("maxexecutiontime=5\noperationcount=1000000\ninsertproportion=0.05", 100_000),
    ]
  )
  func room(_ text: String, _ inserts: Int) throws {
    let workload = try load("recordcount=7\nreadproportion=0\n\(text)")
    let expected = "usertable: {rows: 7, inserts: \(inserts), key: ycsbHashed(1), value: {size: 1000B}}"
    #expect(line("usertable:", workload) == expected)
    #expect(throws: Never.self) { try ScenarioLoader.load(text: workload.yaml) }
  }

  @Test("the operations or the time end the phase", arguments: [("0", false), ("2147483647", true)])
  func end(_ operations: String, _ isCounted: Bool) throws {
    let workload = try load(Self.common + "maxexecutiontime=30", changes: [("operationcount", operations)])
    let end = "for: 30s" + (isCounted ? ", operations: \(operations)" : "")
    #expect(line("{name: run", workload) == "{name: run, \(end), actors: [client]}")
    #expect(try ScenarioLoader.load(text: workload.yaml).scenario.plannedDurationNanoseconds == 30_000_000_000)
  }

  @Test("scans have YCSB's lengths, and keys its zeros")
  func scansAndKeys() throws {
    let text = "recordcount=5\noperationcount=7\nreadproportion=0\nupdateproportion=0\nscanproportion=1\n"
    #expect(line("operations: {", try load(text)) == "operations: {scan(1..1000): 1}")
    let fixed = try load(text + "minscanlength=20\nmaxscanlength=20\nzeropadding=12\ninsertorder=ordered")
    #expect(line("operations: {", fixed) == "operations: {scan(20): 1}")
    #expect(line("usertable:", fixed) == "usertable: {rows: 5, key: ycsbOrdered(12), value: {size: 1000B}}")
    #expect(fixed.notes == [])
    #expect(
      problems(text + "zeropadding=0") == [
        "w:6:13: error: expected zeropadding to be a whole number from 1 to 100, found \"0\""
      ]
    )
  }

  @Test(
    "an object has the size of its fields together, or a distribution of such sizes",
    arguments: [
      ("fieldlengthdistribution=constant\nminfieldlength=5", "1000B"),
      ("fieldlengthdistribution=uniform\nminfieldlength=100", "1000B"),
      ("fieldlengthdistribution=uniform\nfieldcount=1\nminfieldlength=40", "40B..100B"),
      // 10 lengths of the mean 50.5 and the variance 9,999 / 12.
      ("fieldlengthdistribution=uniform", "lognormal(497B 0.1793)"),
      // 10 lengths of the mean 18.87 and the standard deviation 24.31.
      ("fieldlengthdistribution=zipfian", "lognormal(175B 0.3922)"),
      ("fieldlengthdistribution=zipfian\nfieldlength=2\nminfieldlength=1\nfieldcount=100", "lognormal(133B 0.0353)"),
      ("fieldlengthdistribution=zipfian\nfieldlength=1000000000\nfieldcount=1", "lognormal(16282003B 1.5121)"),
    ]
  )
  func sizes(_ text: String, _ size: String) throws {
    let workload = try load("recordcount=5\noperationcount=7\n\(text)")
    #expect(line("usertable:", workload) == "usertable: {rows: 5, key: ycsbHashed(1), value: {size: \(size)}}")
    #expect(workload.notes.isEmpty == !size.hasPrefix("lognormal"))
    #expect(throws: Never.self) { try ScenarioLoader.load(text: workload.yaml) }
  }

  @Test("the distribution has the mean and the standard deviation of lengths that YCSB's generator draws")
  func approximation() throws {
    let workload = try load("recordcount=5\noperationcount=7\nfieldlengthdistribution=zipfian\nfieldcount=20")
    #expect(
      workload.notes.map(\.description) == [
        "w:3:25: note: the sum of a record's field lengths is approximated by a lognormal distribution with the same "
          + "mean (377 B) and standard deviation (109 B); no object has less than 32 B"
      ]
    )
  }

  @Test("properties of later files replace those of earlier ones, and keep their locations")
  func files() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("recordcount=5\noperationcount=7\nthreadcount=2\nreadallfields=true", to: "first.a")
    let second = try folder.write("# More rows.\nrecordcount=50\nreadallfields=false\nstatus=true", to: "second.b")
    let workload = try YCSBWorkload.load(paths: [first, second], changes: [("operationcount", "70")])
    #expect(workload.name == "first")
    #expect(line("usertable:", workload)?.hasPrefix("usertable: {rows: 50,") == true)
    #expect(line("threads:", workload) == "threads: 2")
    #expect(line("{name: run", workload) == "{name: run, operations: 70, actors: [client]}")
    #expect(
      workload.notes.map(\.description) == [
        "\(first):4:1: note: readallfields has no effect: an object is read as a whole",
        "\(second):4:1: note: status has no equivalent in a scenario",
      ]
    )
    let error = #expect(throws: ScenarioDiagnostics.self) {
      try YCSBWorkload.load(paths: [first, second, folder.write("recordcount=no", to: "third")])
    }
    #expect(error?.diagnostics.map(\.file) == [folder.path + "/third"])
  }

  @Test("properties given beside the file override it, and their problems are located there")
  func changes() throws {
    let text = Self.common + Self.core[0].text
    let workload = try load(text, changes: [("recordcount", "9"), ("recordcount", "77")])
    #expect(line("usertable:", workload)?.hasPrefix("usertable: {rows: 77,") == true)
    #expect(
      problems(text, changes: [("target", "5"), ("threadcount", "none")]) == [
        "-p:2:13: error: expected threadcount to be a whole number from 1 to 1024, found \"none\""
      ]
    )
  }

  @Test(
    "every problem is reported with its location, all together",
    arguments: [
      ("operationcount=1", ["1:1: error: the workload needs recordcount"]),
      ("recordcount=1", ["1:1: error: the workload needs operationcount or maxexecutiontime"]),
      (
        "recordcount=1\noperationcount=0\nmaxexecutiontime=0",
        ["2:16: error: the workload needs operationcount or maxexecutiontime"]
      ),
      (
        "recordcount = 0\n  operationcount:\\\n   ten",
        [
          "1:15: error: expected recordcount to be a whole number from 1 to 1000000000, found \"0\"",
          "3:4: error: expected operationcount to be a whole number from 0 to 2147483647, found \"ten\"",
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nrequestdistribution=zipfain\nfieldlengthdistribution=zipf",
        [
          "3:21: error: requestdistribution cannot be \"zipfain\" here; did you mean \"zipfian\"?",
          "4:25: error: fieldlengthdistribution cannot be \"zipf\" here; did you mean \"zipfian\"?",
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nreadproportoin=1\nworkload=my.Own",
        [
          "3:1: error: unknown property \"readproportoin\"; did you mean \"readproportion\"?",
          "4:10: error: expected the CoreWorkload, found \"my.Own\"",
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nreadproportion=0\nupdateproportion=0.0",
        ["3:16: error: every proportion is 0; expected at least one above 0"]
      ),
      (
        "recordcount=1\noperationcount=1\nreadproportion=NaN\nupdateproportion=1e309",
        [
          "3:16: error: expected readproportion to be a number from 0 to 1 of at most 12 decimals, found \"NaN\"",
          "4:18: error: expected updateproportion to be a number from 0 to 1 of at most 12 decimals, found \"1e309\"",
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nfieldlength=3",
        [
          "3:13: error: an object would have 30 B; expected from 32 B, the size of the header by which reads are "
            + "checked, to 1 GB; change fieldcount or fieldlength"
        ]
      ),
      (
        "recordcount=1\noperationcount=many\nmaxexecutiontime=5\ntable=my table",
        [
          "2:16: error: expected operationcount to be a whole number from 0 to 2147483647, found \"many\"",
          "4:7: error: expected a name of letters, digits, - and _, found \"my table\"",
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nfieldlengthdistribution=histogram",
        [
          "3:25: error: fieldlengthdistribution cannot be \"histogram\" here, because a scenario has the sizes of "
            + "whole objects; expected one of constant, uniform, zipfian, or a scenario with the size histogram(FILE)"
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nfieldlengthdistribution=uniform\nfieldcount=1\nminfieldlength=9",
        [
          "5:16: error: an object would have 9 B; expected from 32 B, the size of the header by which reads are "
            + "checked, to 1 GB; change fieldcount or minfieldlength"
        ]
      ),
      (
        "recordcount=1\noperationcount=1\nfieldlengthdistribution=zipfian\nminfieldlength=900",
        ["4:16: error: minfieldlength is more than fieldlength"]
      ),
      ("recordcount=1\u{0}", ["1:14: error: there is a NUL byte here; expected text"]),
    ]
  )
  func problemsAreLocated(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected.map { "w:" + $0 })
  }

  @Test("properties are read as Java reads them")
  func properties() {
    let text = """
      # a comment \\
      a=1
        ! another
      b : two words\u{20}
      c\\ d\\=e   f
      long = one, \\
             two\\\\
      tab=\\t\\u0041
      empty
      a=2
      """
    var file = PropertyFile()
    file.append(text.replacingOccurrences(of: "\n", with: "\r\n"), file: "w")
    #expect(file.properties.map(\.name) == ["a", "b", "c d=e", "long", "tab", "empty", "a"])
    #expect(file.properties.map(\.value) == ["1", "two words", "f", "one, two\\", "\tA", "", "2"])
    #expect(file["a"]?.valueLocation == SourceLocation(file: "w", line: 10, column: 3))
  }

  @Test("any bytes are read or rejected")
  func damage() {
    for damaged in damagedCopies(of: Self.common + Self.core[4].text, by: "=:\\\n# u0.-", seed: 5) {
      do {
        let workload = try YCSBWorkload.load([("w", damaged)], name: "w")
        #expect(!workload.yaml.isEmpty)
      } catch {
        #expect(error.diagnostics.allSatisfy { $0.file == "w" && $0.line >= 1 && $0.column >= 1 })
      }
    }
  }
}
