/// The properties of YCSB's core workload and its client that mean something for a scenario.
enum YCSBProperty: String, CaseIterable {
  case workload, recordcount, operationcount, table
  case fieldcount, fieldlength, fieldlengthdistribution
  case readproportion, updateproportion, insertproportion, scanproportion, readmodifywriteproportion
  case requestdistribution, insertorder
  case minscanlength, maxscanlength, scanlengthdistribution
  case hotspotdatafraction, hotspotopnfraction
  case exponentialPercentile = "exponential.percentile"
  case exponentialFraction = "exponential.frac"
  case threadcount, target, maxexecutiontime

  /// Properties that change nothing here, each with the reason.
  static let withoutMeaning: KeyValuePairs<String, String> = [
    "readallfields": "an object is read as a whole",
    "writeallfields": "an object is written as a whole",
    "fieldnameprefix": "an object has no named fields",
    "zeropadding": "keys are of the harness's own making",
    "keyprefix": "keys are of the harness's own making",
    "dataintegrity": "every value that is read is checked anyway",
    "measurementtype": "latencies are kept in histograms anyway",
  ]

  /// What it is where the file does not say: the defaults of YCSB's code, which its template does not always repeat.
  var usual: String? {
    switch self {
    case .workload: "site.ycsb.workloads.CoreWorkload"
    case .table: "usertable"
    case .fieldcount: "10"
    case .fieldlength: "100"
    case .fieldlengthdistribution: "constant"
    case .readproportion: "0.95"
    case .updateproportion: "0.05"
    case .insertproportion, .scanproportion, .readmodifywriteproportion: "0.0"
    case .requestdistribution, .scanlengthdistribution: "uniform"
    case .insertorder: "hashed"
    case .minscanlength: "1"
    case .maxscanlength: "1000"
    case .hotspotdatafraction: "0.2"
    case .hotspotopnfraction: "0.8"
    case .exponentialPercentile: "95"
    case .exponentialFraction: "0.8571428571"
    case .threadcount: "1"
    case .target, .maxexecutiontime: "0"
    case .recordcount, .operationcount: nil
    }
  }
}
