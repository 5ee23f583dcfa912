/// Reads CSV by RFC 4180, so that the tests do not depend on the writer.
enum CSVReader {
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    let scalars = Array(text.unicodeScalars)
    var position = 0
    while position < scalars.count {
      let scalar = scalars[position]
      let next = position + 1 < scalars.count ? scalars[position + 1] : nil
      if isQuoted {
        if scalar == "\"", next == "\"" {
          cell.unicodeScalars.append(scalar)
          position += 1
        } else if scalar == "\"" {
          isQuoted = false
        } else {
          cell.unicodeScalars.append(scalar)
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if scalar == "," || scalar == "\n" {
        row.append(cell)
        cell = ""
        if scalar == "\n" {
          rows.append(row)
          row = []
        }
      } else {
        cell.unicodeScalars.append(scalar)
      }
      position += 1
    }
    return rows
  }
}
