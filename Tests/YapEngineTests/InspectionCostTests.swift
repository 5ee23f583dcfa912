#if TestPoints
  import Testing

  @testable import YapEngine

  /// The number of keys that a query about changes inspects, counted and not timed.
  @Suite struct InspectionCostTests {
    private let changedKeys = 500

    /// Runs `body` with commits that change `changedKeys` keys each, in two collections.
    private func withModifications(_ body: ([YapDatabaseModification]) throws -> Void) throws {
      try withDatabase { database in
        let ui = try database.newConnection()
        let writer = try database.newConnection()
        try ui.beginLongLivedReadTransaction()
        for _ in 0..<3 {
          try writer.readWrite { transaction in
            for index in 0..<changedKeys {
              try transaction.setObject(bytes("1"), forKey: "\(index)", inCollection: "left")
              try transaction.setObject(bytes("1"), forKey: "\(index)", inCollection: "right")
            }
          }
        }
        try body(ui.beginLongLivedReadTransaction())
      }
    }

    private func looks(
      _ modifications: [YapDatabaseModification],
      _ question: (ChangeInspection) -> Bool
    ) -> (answer: Bool, looks: Int) {
      var count = 0
      var inspection = ChangeInspection(modifications)
      inspection.onLook = { count += 1 }
      return (question(inspection), count)
    }

    @Test func `a key is looked up once in each commit, however many keys it changed`() throws {
      try withModifications { told in
        let absent = looks(told) { $0.hasChange(anyOf: ["none"], in: "left") }
        #expect(absent == (false, 3))
        #expect(looks(told) { $0.hasChange(anyOf: ["7"], in: "right", of: .object) } == (true, 1))
        #expect(looks(told) { $0.hasChange(anyOf: ["7"], in: "elsewhere") } == (false, 0))
      }
    }

    @Test func `the smaller one of many keys and many changes is searched`() throws {
      try withModifications { told in
        let few = (0..<10).map { "none \($0)" }
        let many = (0..<10 * changedKeys).map { "none \($0)" }
        #expect(looks(told) { $0.hasChange(anyOf: few, in: "left") } == (false, 3 * few.count))
        #expect(looks(told) { $0.hasChange(anyOf: many, in: "left") } == (false, 3 * changedKeys))
        // The last key is found in both ways.
        #expect(looks(told) { $0.hasChange(anyOf: many + ["499"], in: "left") }.answer)
        #expect(looks(told) { $0.hasChange(anyOf: few + ["499"], in: "left") }.answer)
      }
    }

    @Test func `a query about one collection inspects no other collection`() throws {
      try withModifications { told in
        #expect(looks(told) { $0.hasChange(in: "elsewhere") } == (false, 0))
        #expect(looks(told) { $0.hasChange(in: "left") } == (true, 1))
      }
    }
  }
#endif
