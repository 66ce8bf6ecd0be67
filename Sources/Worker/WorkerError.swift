package import Kafka

/// What ends a worker, or keeps it from starting. The description is one line that says what to do.
package enum WorkerError: Error, Equatable, CustomStringConvertible {
  /// A committed offset's metadata that this version did not write.
  case metadata(String)
  case missingTopic(String)
  case createTime(topic: String)
  case deadLettersTooShort(topic: String, has: Int, of: String, needs: Int)
  /// A topic that doesn't take the largest of what is sent to it.
  case outputTooShort(topic: String, has: Int, needs: Int)
  /// Another worker with the same `worker.id` has taken this one's place.
  case replaced(id: String)
  /// A record that a restore needs, of a changelog or a journal, in a form that this version does not know.
  case unreadable(String, offset: Int64, why: String)
  /// By the broker: mended by waiting, if at all, with new clients.
  case refused(KafkaError, isOfTransaction: Bool)

  package var description: String {
    switch self {
    case .metadata(let text):
      """
      the group's committed offset carries what this version can't read (\(text.prefix(80))): use the version that \
      wrote it, or another kafka.group.id
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
    case .replaced(let id):
      "another worker with worker.id \(id) has taken this one's place: give each worker an id of its own"
    case .unreadable(let place, let offset, let why):
      "\(place) offset \(offset): \(why): use the version of this program that wrote it, or a later one"
    case .refused(let why, _):
      "\(why)"
    }
  }
}
