extension MistakeCorpus {
  /// In an expectation that compares figures, or names a variant.
  static let comparedFigures = Mistake.parse(
    #"""
    29:   - "[copy] run response.p99 < 50ms"
    > 29:5: error: there is no variant "copy"; the scenario has no "matrix"
    29:   - "run response.p99 < 2 * runs response.p99"
    > 29:5: error: unreachable expectation: there is no phase "runs"; did you mean "run"?
    29:   - "run response.p99 < 2 * run throughput.mean"
    > 29:5: error: "response" is a duration and "throughput" is a rate; compare figures of one kind
    29:   - "run response.p99 < 0 * run response.p50"
    > 29:5: error: expected a factor of more than 0, found "0"
    29:   - "run response.p99 < run response"
    > 29:5: error: "response" needs an aggregate; write for instance response.p99
    29:   - "abort run response.p99 < 2 * run response.p50"
    > 29:5: error: "abort" compares with a value; leave out "abort", or compare with a value
    29:   - "run cache.object.hits.max > 90%"
    > 29:5: error: a share is that of a whole phase; write cache.object.hits.sum
    """#
  )
}
