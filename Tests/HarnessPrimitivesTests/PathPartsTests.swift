import HarnessPrimitives
import Testing

@Suite("The folder and the name of a path") struct PathPartsTests {
  @Test(arguments: [
    ("", ".", ""), ("h", ".", "h"), (".", ".", "."), ("..", ".", ".."), ("-", ".", "-"), ("é", ".", "é"),
    ("/", "/", ""), ("//", "/", ""), ("h/", ".", "h"), ("./", ".", "."), ("é/", ".", "é"), ("h//", ".", "h"),
    ("hh", ".", "hh"), (".h", ".", ".h"), ("/h", "/", "h"), ("//h", "/", "h"), ("/h/", "/", "h"), ("./h", ".", "h"),
    ("../h", "..", "h"), ("a/b", "a", "b"), ("a//b", "a", "b"), ("a/b/", "a", "b"), ("/a/b", "/a", "b"),
    ("a/b/c", "a/b", "c"), ("a b/c d", "a b", "c d"), ("ä/ö", "ä", "ö"),
    // A combining accent after the slash.
    ("a/\u{301}b", "a", "\u{301}b"),
  ])
  func `paths of any length are split as dirname and basename do`(path: String, folder: String, name: String) {
    let parts = PathParts(path)
    #expect(parts.folder == folder)
    #expect(parts.name == name)
  }

  @Test func `the folder of a folder ends at the root`() {
    var path = "/a/b"
    for expected in ["/a", "/", "/"] {
      path = PathParts(path).folder
      #expect(path == expected)
    }
  }
}
