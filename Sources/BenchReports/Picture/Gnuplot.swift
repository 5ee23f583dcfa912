internal import Foundation

/// A picture as gnuplot draws it.
protocol PlottedPicture {
  /// The name of the file that the script writes.
  static var fileName: String { get }
  var script: String { get }
  /// Contents of the files that the script reads, by name.
  var data: [String: String] { get }
}

/// What became of a picture.
enum PictureOutcome: Equatable {
  case drawn
  /// Why there is none.
  case missing(reason: String)
}

/// The program that draws the pictures. A run without it loses the picture and nothing else.
struct Gnuplot {
  var executable: String
  var timeoutSeconds: Double = 30

  /// The first one in `searchPath`, which is written as in `PATH`.
  static func found(in searchPath: String? = ProcessInfo.processInfo.environment["PATH"]) -> Gnuplot? {
    for folder in (searchPath ?? "").split(separator: ":") {
      let executable = "\(folder)/gnuplot"
      if FileManager.default.isExecutableFile(atPath: executable) { return Gnuplot(executable: executable) }
    }
    return nil
  }

  /// Runs the picture's script in `folder`, where its data stands only for that time.
  /// - Parameter name: what the picture's file is to be called.
  func draw<Picture: PlottedPicture>(
    _ picture: Picture,
    in folder: String,
    as name: String = Picture.fileName
  ) throws -> PictureOutcome {
    let work = folder + "/.picture"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: work) }
    for (name, contents) in picture.data {
      try Data(contents.utf8).write(to: URL(fileURLWithPath: "\(work)/\(name)"))
    }
    try Data(picture.script.utf8).write(to: URL(fileURLWithPath: work + "/script.gp"))

    if let failure = run(in: work) { return .missing(reason: failure) }
    let drawn = "\(work)/\(Picture.fileName)"
    // A drawing that was broken off has no end.
    guard let svg = FileManager.default.contents(atPath: drawn), svg.suffix(64).contains(Data("</svg>".utf8)) else {
      return .missing(reason: "gnuplot wrote no whole picture")
    }
    try FileManager.default.moveItem(atPath: drawn, toPath: "\(folder)/\(name)")
    return .drawn
  }

  /// - Returns: what went wrong.
  private func run(in folder: String) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    // Without the user's own settings, so that the same run draws the same picture.
    process.arguments = ["-d", "script.gp"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // A file, as a pipe that nobody reads could fill and stop the program.
    let messages = folder + "/messages"
    _ = FileManager.default.createFile(atPath: messages, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: messages) ?? FileHandle.nullDevice

    let ended = NSCondition()
    process.terminationHandler = { _ in
      ended.lock()
      ended.broadcast()
      ended.unlock()
    }
    do {
      try process.run()
    } catch {
      return "gnuplot could not be started (\(error.localizedDescription))"
    }
    guard wait(for: process, on: ended, seconds: timeoutSeconds) else {
      kill(process.processIdentifier, SIGKILL)
      _ = wait(for: process, on: ended, seconds: 5)
      return "gnuplot did not end within \(Quantity.duration(nanoseconds: timeoutSeconds * 1e9)) and was stopped"
    }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let text = FileManager.default.contents(atPath: messages).map {
        String(decoding: $0.prefix(2_000), as: UTF8.self)
      }
      let lines = (text ?? "").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let last = lines.last { !$0.isEmpty } ?? "no message"
      return "gnuplot failed with status \(process.terminationStatus) (\(InertText.shortened(last, to: 200)))"
    }
    return nil
  }

  private func wait(for process: Process, on ended: NSCondition, seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    ended.lock()
    defer { ended.unlock() }
    while process.isRunning {
      if Date() >= deadline { return false }
      // In short spans, as the end may be told before anyone waits for it.
      _ = ended.wait(until: min(deadline, Date(timeIntervalSinceNow: 0.1)))
    }
    return true
  }
}
