#if TestPoints
  extension YapDatabaseConnection {
    /// Every 40th call returns what the call before was given.
    func mistaken(_ object: Any) -> Any {
      defer { lastAnswer = object }
      answerCount += 1
      return answerCount % 40 == 0 ? lastAnswer ?? object : object
    }
  }
#endif
