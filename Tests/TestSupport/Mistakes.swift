/// A scenario with ten different mistakes, and their locations.
package enum Mistakes {
  package static let text = """
    format: 1
    name: many
    sumary: A scenario with ten mistakes.
    engine: {driver: yap, synchronous: sometimes}
    dataset:
      items: {rows: 1k, value: {size: 8B}}
    connections:
      one: {objectCache: perhaps}
    actors:
      read:
        connection: oen
        operations: {get: 1}
        collection: items
        keys: zipfian(0,99)
        load: {rate: 0/s}
      idle: {connection: one, operations: {empty: 1}}
    phases:
      - {name: run, for: 5, actors: [read]}
    expect:
      - "rum throughput.mean > 5/s"
    """

  package static let locations = ["3:1", "4:36", "6:35", "8:22", "11:17", "14:11", "15:18", "16:3", "18:22", "20:5"]
}
