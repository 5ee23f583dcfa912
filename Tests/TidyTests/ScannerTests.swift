internal import Testing

/// Tests of the scanners that the checks use.
@Suite("Code is read without its comments and strings")
struct ScannerTests {
  private func masked(_ text: String, _ language: Language = .swift) -> String {
    String(decoding: CodeMask.code(of: text, language), as: UTF8.self)
  }

  /// The code without its spaces, which is easier to compare.
  private func code(_ text: String, _ language: Language = .swift) -> String {
    masked(text, language).filter { $0 != " " }
  }

  @Test(
    "comments and strings are blanked",
    arguments: [
      ("a // {", "a"), ("a /* { /* } */ { */ b", "ab"), ("a \"{\" b", "ab"), (#"a "\"{" b"#, "ab"),
      (#"a "\(f("}") + "{")" b"#, "ab"), (##"a #"\"{"# b"##, "ab"), (##"a #"\#(x { "{" })" }"# b"##, "ab"),
      ("a \"\"\"\n{ \"x\" }\n\"\"\" b", "a\n\nb"), ("#if x {", "#ifx{"), ("a \"\" { b", "a{b"),
      ("a \"http://x\" { b", "a{b"), ("a \"unclosed\n{", "a\n{"), ("a = 6 / 2 { b", "a=6/2{b"), ("\"é\" {", "{"),
    ]
  )
  func swift(_ text: String, _ expected: String) {
    #expect(code(text) == expected)
    #expect(masked(text).utf8.count == text.utf8.count)
  }

  @Test(
    "C has characters, flat comments and preprocessor lines",
    arguments: [
      ("a '{' b '\\'' c", "abc"), ("/* { /* */ a", "a"), ("#define X { \\\n {\nb", "\n\nb"), ("\"\"\"\" { a", "{a"),
    ]
  )
  func c(_ text: String, _ expected: String) { #expect(code(text, .c) == expected) }

  @Test("strings can be kept, so that a manifest can be read")
  func keptStrings() {
    let kept = CodeMask.code(of: "a(\"b // c\") // d", .swift, keepsStrings: true)
    #expect(String(decoding: kept, as: UTF8.self) == "a(\"b // c\")     ")
  }

  private func functions(_ path: String, _ text: String) -> [FunctionSpan] {
    FunctionScanner.functions(in: SourceFile(path: path, text: text))
  }

  @Test("functions are found with their lengths")
  func swiftFunctions() {
    let text = """
      protocol P { func required(_ x: Int) -> Int
        var property: Int { get }
        init(required: Int)
      }
      struct S: P {
        var stored = [1, 2]
        let closure: () -> Void = {
        }
        init(a: Int = { 1 }()) {
          self.init(b: a)
        }
        func generic<T>(_ body: (T) throws -> Void = { _ in })
          rethrows -> [T]
        where T: Sendable
        {
          func inner() {
            "}"
          }
        }
        static func < (a: S, b: S) -> Bool { a.x { 1 } }
        var computed: Int {
          get { 1 }
          set {}
        }
        subscript(index: Int) -> Int {
          .init(index)
        }
        deinit {
        }
      }
      """
    #expect(
      functions("a.swift", text) == [
        FunctionSpan(name: "property", line: 2, lineCount: 1), FunctionSpan(name: "init", line: 9, lineCount: 3),
        FunctionSpan(name: "generic", line: 12, lineCount: 8), FunctionSpan(name: "inner", line: 16, lineCount: 3),
        FunctionSpan(name: "func", line: 20, lineCount: 1), FunctionSpan(name: "computed", line: 21, lineCount: 4),
        FunctionSpan(name: "subscript", line: 25, lineCount: 3), FunctionSpan(name: "deinit", line: 28, lineCount: 2),
      ]
    )
  }

  @Test("functions of C are found, and other braces are ignored")
  func cFunctions() {
    let text = """
      #define LOOP(x) for (x) {
      struct point { int x; };
      static const int table[] = { 1, 2 };
      static int
      add(int a, int b)
      {
        if (a) { return b; }
        return a + '}';
      }
      int one(void) { return 1; }
      """
    #expect(
      functions("a.c", text) == [
        FunctionSpan(name: "add", line: 5, lineCount: 5), FunctionSpan(name: "one", line: 10, lineCount: 1),
      ]
    )
  }

  @Test("functions of the shell are found")
  func shellFunctions() {
    let text = "#!/bin/sh\nrun() {\n  if true; then { x; }; fi\n}\nrun\n"
    #expect(functions("run", text) == [FunctionSpan(name: "run", line: 2, lineCount: 3)])
  }

  @Test("an unmatched brace is found")
  func loneBraces() {
    #expect(FunctionScanner.loneBraces(in: Array("{\n}\n}\n{".utf8)) == [3, 4])
  }

  @Test("the manifest's targets are read with their dependencies")
  func manifest() {
    let text = """
      let package = Package(
        products: [.library(name: "L", targets: ["A"])],
        dependencies: [.package(url: "https://example.org/p", from: "1.0.0")],
        targets: [
          .systemLibrary(name: "C", pkgConfig: "c", providers: [.apt(["c-dev"])]),
          // .target(name: "Gone"),
          .target(
            name: "A",
            dependencies: [
              "C", .product(name: "P", package: "p"), .target(name: "D", condition: .when(traits: ["T"])), "E",
            ],
            swiftSettings: strict
          ),
          .testTarget(name: "ATests", dependencies: ["A"], swiftSettings: strict),
          .executableTarget(name: "x"),
        ]
      )
      """
    #expect(
      ManifestTarget.all(in: SourceFile(path: "Package.swift", text: text)) == [
        ManifestTarget(name: "C", line: 5, dependencies: []),
        ManifestTarget(name: "A", line: 7, dependencies: ["C", "P", "D", "E"]),
        ManifestTarget(name: "ATests", line: 14, dependencies: ["A"], isOfTests: true),
        ManifestTarget(name: "x", line: 15, dependencies: []),
      ]
    )
  }

  @Test("public declarations are found by their names and labels")
  func publicNames() {
    let names = PublicNames([
      SourceFile(
        path: "Sources/YapEngine/A.swift",
        text: """
          public final class A: Sendable {
            public static let first = 1, hidden = 2
            public private(set) var second: Int { 0 }
            let secret = 3
            public convenience init(path: String, _ options: [Int] = [1, 2]) {}
            public final func go<Value: Sendable>(_ type: Value.Type, to place: (Int, Int), by: Int = 0) throws {}
            public func rest() {}
            // public func commented(x: Int)
          }
          public enum Kind: String {
            case plain, fancy
            case long(Int)
          }
          """
      )
    ])
    for name in [
      "A", "A(path:_:)", "first", "A.first", "A/second", "go(_:to:by:)", "A.go(_:to:by:)", "rest()", "Kind", ".plain",
      "Kind.fancy", "long",
    ] {
      #expect(names.contains(name), "\(name)")
    }
    for name in [
      "B", "secret", "A(path:)", "go", "go(_:)", "commented(x:)", "rest", "B.first", "A.none", "Kind.none", ".none",
    ] {
      #expect(!names.contains(name), "\(name)")
    }
  }

  @Test("names are those of the last column of a table, and of a list of equal names")
  func namesOfAPage() {
    let page = SourceFile(
      path: NamesPage.path,
      text: """
        | theirs | here |
        | --- | --- |
        | `old`, `older` | `new`, ``A/newer`` |
        The same: `one`,
        `two`.

        `three`
        """
    )
    let missing = NamesPage.missingNames(page, in: []).map { "\($0.line) \($0.what)" }
    #expect(
      missing
        == [("3", "new"), ("3", "A/newer"), ("4", "one"), ("5", "two")].map {
          "\($0) the engine has no public declaration \($1)"
        }
    )
  }
}
