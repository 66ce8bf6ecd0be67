package import KafkaNames

/// An error that ends a worker, or keeps it from starting. The description is one line with the remedy.
package enum WorkerError: Error, Equatable, CustomStringConvertible {
  /// A committed offset's metadata that this version did not write.
  case metadata(String)
  case missingTopic(String)
  case createTime(topic: String)
  case deadLettersTooShort(topic: String, has: Int, of: String, needs: Int)
  /// A topic that doesn't take the largest of what is sent to it.
  case outputTooShort(topic: String, has: Int, needs: Int)
  /// A topic that is written to has fewer partitions than when the worker began.
  case madeAnew(topic: String, has: Int, had: Int)
  /// Another worker with the same `worker.id` has taken this one's place, and lives.
  case replaced(id: String)
  /// A later version of this program wrote what a restore needs: another may take this one's place any time.
  case newer(String)
  /// The broker refuses. Waiting mends it, if at all, only with new clients.
  case refused(KafkaError, isOfTransaction: Bool)
  /// A topic would drop what is still needed; the line says how to change it.
  case losesRecords(String)

  /// The consequence of another group.
  private static let anew =
    "which publishes once more what the input still has, as commands and results; worker.begin end leaves it out"

  package var description: String {
    switch self {
    case .metadata(let text):
      """
      the group's committed offset carries what this version can't read (\(text.prefix(80))): use the version that \
      wrote it, or another kafka.group.id (\(Self.anew))
      """
    case .missingTopic(let topic):
      "the topic \(topic) is not there: make it with `flyscreen topics create`"
    case .createTime(let topic):
      """
      \(topic) has message.timestamp.type=CreateTime, so one sender's wrong clock would freeze it: run `kafka-configs \
      --alter --entity-type topics --entity-name \(topic) --add-config message.timestamp.type=LogAppendTime`, or set \
      topics.timestamps to any
      """
    case .deadLettersTooShort(let topic, let has, let input, let needs):
      """
      \(topic) has max.message.bytes=\(has), less than \(input) (\(needs)), whose records may come to it: see \
      `flyscreen topics create`
      """
    case .outputTooShort(let topic, let has, let needs):
      """
      \(topic) has max.message.bytes=\(has), and what goes there may be longer: run `kafka-configs --alter \
      --entity-type topics --entity-name \(topic) --add-config max.message.bytes=\(needs)`
      """
    case .madeAnew(let topic, let has, let had):
      """
      \(topic) was made anew with fewer partitions (\(has), it had \(had)): start the worker again, and it goes on with \
      these
      """
    case .replaced(let id):
      "another worker with worker.id \(id) has taken this one's place: give each worker an id of its own"
    case .newer(let what):
      "\(what): that takes the version of this program that wrote it, or a later one"
    case .losesRecords(let line):
      line
    case .refused(let why, _):
      "\(why)"
    }
  }
}
