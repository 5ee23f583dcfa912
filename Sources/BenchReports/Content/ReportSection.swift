/// A part of a report with a heading of its own: what every format shows, in the order in which it shows it.
struct ReportSection {
  /// Names the section in addresses; the same in every report, so that a link to it lasts.
  var anchor: String
  /// nil for what goes on below the heading before.
  var title: ReportText?
  var blocks: [ReportBlock]
}

/// What a section is made of.
enum ReportBlock {
  /// Its lines, each on a line of its own.
  case paragraph([ReportText])
  case list([ReportText])
  case table(ReportTable)
  /// A table that backs what was said before, and its title.
  case details(ReportText, ReportTable)
  /// What is typed into a shell.
  case command(String)
  /// Drawings; nil for a figure that has nothing to draw.
  case figure(ReportFigure?)
}
