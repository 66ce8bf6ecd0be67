package import Wire

/// The topics around a worker's input, as far as it knows them.
package struct TopicLayout: Equatable, Sendable {
  /// `topics.input`, in its order.
  package var input: [String]
  package var inputPartitions: [String: Int32]
  /// The number of an input's partitions for which its changelog, journal and dead letters have places. An input may
  /// grow before these do: the rest waits.
  package var places: [String: Int32]
  package var commandPartitions: Int32
  package var resultPartitions: Int32
  /// The form of commands and results.
  package var format: Format

  /// The number of an input's partitions that have a place for their state.
  package func workable(_ input: String) -> Int32 { min(inputPartitions[input] ?? 0, places[input] ?? 0) }

  package init(
    input: [String], inputPartitions: [String: Int32], places: [String: Int32]? = nil, commandPartitions: Int32,
    resultPartitions: Int32, format: Format
  ) {
    self.input = input
    self.inputPartitions = inputPartitions
    self.places = places ?? inputPartitions
    self.commandPartitions = commandPartitions
    self.resultPartitions = resultPartitions
    self.format = format
  }
}
