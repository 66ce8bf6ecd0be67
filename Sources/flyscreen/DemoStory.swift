import Build
import Kafka
import Platform
import RoomModel
import Settings
import Simulation
import Wire

/// The story that the demo begins with, once the worker shows that it works.
struct DemoStory: ~Copyable {
  /// A scene's words, and a call for another terminal.
  struct Scene: Equatable {
    let caption: String
    /// `KAFKA_BOOTSTRAP_SERVERS=…`, and the call that needs it.
    let call: [String]
  }

  private let story = Story()
  private let servers: String
  private var startMs: Int64?
  private var sent = 0

  init(servers: String) { self.servers = servers }

  private var elapsedMs: Int64 { startMs.map { WallClock.nowMs() - $0 } ?? -1 }

  /// Below 0 until it is over. Nothing else happens before, so that who opens the page sees the story's room.
  var sinceEndMs: Int64 { elapsedMs - Story.endMs }

  /// Its clock starts with the first command of its room.
  mutating func begin(with room: Text) {
    if startMs == nil, room == story.room { startMs = WallClock.nowMs() }
  }

  mutating func play(_ send: (RoomEvent) throws(KafkaError) -> Void) throws(KafkaError) {
    while sent < story.events.count, story.events[sent].atMs <= elapsedMs {
      try send(story.events[sent].event)
      sent += 1
    }
  }

  /// The scene that is on; nil: none is.
  var scene: Scene? {
    let nowMs = elapsedMs
    guard nowMs < Story.endMs, let scene = story.scenes.last(where: { $0.atMs <= nowMs }) else { return nil }
    return Scene(
      caption: scene.caption,
      call: [
        "KAFKA_BOOTSTRAP_SERVERS=\(servers)",
        "\(String(cString: flyscreen_argument(0))) explain --room \(story.room) --event \(scene.eventId)",
      ])
  }
}

/// Commits how far the worker has come for the group that `explain` asks by default, since librdkafka's own broker keeps
/// no offsets of transactions.
struct DemoProgress: ~Copyable {
  private let group: GroupOffsets
  private var offsets: [TopicPartition: Int64] = [:]
  private var atMs: Int64 = 0

  private static let everyMs: Int64 = 1000

  init(_ configuration: Configuration) throws(KafkaError) {
    group = try GroupOffsets(
      properties: try KafkaProperties(configuration.kafka), group: Configuration().groupId,
      clientId: "flyscreen-demo-progress", log: { _ in })
  }

  mutating func take(_ published: DecodedCommand) {
    offsets[TopicPartition(published.topic.description, published.partition)] = published.command.recordOffset + 1
  }

  mutating func commit() throws(KafkaError) {
    let nowMs = MonotonicClock.nowMs()
    guard nowMs - atMs >= Self.everyMs, !offsets.isEmpty else { return }
    atMs = nowMs
    try group.commit(offsets)
    offsets.removeAll()
  }
}
