// A mailbox: a list that stays on its snapshot while mail arrives, and then jumps to the newest snapshot.
//
//     swift run --package-path Examples/Bookmarks
import Foundation
import YapEngine

struct Mail: Codable, Sendable {
  var subject: String
  var isRead = false
}

/// The content of a screen. It reads from a bookmark, so all rows are from one snapshot.
struct Mailbox {
  let connection: YapDatabaseConnection

  func lines() throws -> [String] {
    try connection.read { transaction in
      try transaction.allKeys(inCollection: "mail").sorted().map { key in
        let mail = try transaction.object(Mail.self, forKey: key, inCollection: "mail")
        return "\(mail?.isRead == true ? "  " : "* ")\(key)  \(mail?.subject ?? "")"
      }
    }
  }

  func show(_ title: String) throws {
    print(title, try lines().map { "    " + $0 }.joined(separator: "\n"), separator: "\n")
  }
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bookmarks-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

var options = YapDatabaseOptions()
options.objectCodecs["mail"] = .codable(Mail.self)
options.objectPolicies["mail"] = .share
let database = try YapDatabase(path: folder.appendingPathComponent("mail.sqlite").path, options: options)
let ui = try database.newConnection(name: "ui")
let sync = try database.newConnection(name: "sync")
let mailbox = Mailbox(connection: ui)

try sync.readWrite { try $0.setObject(Mail(subject: "Welcome"), forKey: "1", inCollection: "mail") }
try ui.beginLongLivedReadTransaction()
try mailbox.show("The list, at commit \(ui.snapshot):")

for number in 2...4 {
  try sync.readWrite { try $0.setObject(Mail(subject: "News \(number)"), forKey: "\(number)", inCollection: "mail") }
}
try sync.readWrite { transaction in
  guard var mail = try transaction.object(Mail.self, forKey: "1", inCollection: "mail") else { return }
  mail.isRead = true
  try transaction.setObject(mail, forKey: "1", inCollection: "mail")
}

try mailbox.show("After four commits of the other connection it is still at commit \(ui.snapshot):")
let culprit = database.statistics.walPinnedBy?.name ?? "none"
print("The connection \"\(culprit)\" keeps them in the WAL.")

let jumped = try ui.beginLongLivedReadTransaction()
print("The jump returns commits \(jumped.map(\.snapshot)).")
for key in 1...5 where ui.hasChange(forKey: "\(key)", inCollection: "mail", in: jumped) {
  print("    redraw row \(key)")
}
try mailbox.show("The list, at commit \(ui.snapshot):")
try database.close()
