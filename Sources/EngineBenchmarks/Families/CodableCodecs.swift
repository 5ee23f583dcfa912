internal import Foundation
internal import YapEngine

/// P19: the codec of `Codable` values, in its two formats.
enum CodableCodecs: BenchmarkFamily {
  static let targets: Set<TargetName> = [.engine(19)]
  private static let binary = "binary"
  private static let json = "JSON"

  static func run(on bench: Workbench) throws {
    let codecs = [
      (binary, YapDatabaseCodec.codable(TenFields.self, as: .binary)),
      (json, YapDatabaseCodec.codable(TenFields.self, as: .json)),
    ]
    let value = TenFields()
    try bench.measure(
      "encoding of ten fields",
      codecs.map { name, codec in
        .timed(name, prepare: { $0 }) { count in
          var last = 0
          for _ in 0..<count { try codec.encode(value, Dataset.collection, "key") { last = $0.count } }
          return last
        } check: { _, length in
          try BenchmarkError.check(length > 100, is: true, "the bytes of \(name) contain all fields")
        }
      },
      answers: [ClaimID(19, "encode"): .ratio(of: json, to: binary)]
    )
    try bench.measure(
      "decoding of ten fields",
      try codecs.map { name, codec in
        var bytes: [UInt8] = []
        try codec.encode(value, Dataset.collection, "key") { bytes = [UInt8]($0) }
        return .timed(name, prepare: { $0 }) { [bytes] count -> TenFields? in
          var last: Any?
          for _ in 0..<count {
            last = try bytes.withUnsafeBytes { bytes -> Any in try codec.decode(bytes, Dataset.collection, "key") }
          }
          return last as? TenFields
        } check: { _, found in
          try BenchmarkError.check(found, is: value, "the value that \(name) decodes")
        }
      },
      answers: [ClaimID(19, "decode"): .ratio(of: json, to: binary)]
    )
  }

  /// A message, as an application stores it.
  private struct TenFields: Codable, Equatable {
    var id = 123_456
    var author = "Ada Lovelace"
    var text = "The engine weaves algebraical patterns just as the loom weaves flowers"
    var sent = Date(timeIntervalSinceReferenceDate: 790_000_000.25)
    var rating = 4.25
    var isRead = true
    var reply: String? = "re"
    var tags = ["mathematics", "engines"]
    var picture = Data((0..<32).map { UInt8($0) })
    var stars: Int32 = 5
  }
}
