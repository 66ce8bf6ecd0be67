package import Wire

/// What a worker knows of the topics around its input.
package struct TopicLayout: Equatable, Sendable {
  /// `topics.input`, in its order.
  package var input: [String]
  package var inputPartitions: [String: Int32]
  package var commandPartitions: Int32
  package var resultPartitions: Int32
  /// Of commands and results.
  package var format: Format

  package init(
    input: [String], inputPartitions: [String: Int32], commandPartitions: Int32, resultPartitions: Int32,
    format: Format
  ) {
    self.input = input
    self.inputPartitions = inputPartitions
    self.commandPartitions = commandPartitions
    self.resultPartitions = resultPartitions
    self.format = format
  }
}
