import JSON
import RoomEngine
import RoomModel
import RoomScreen
import Settings
import Wire

/// One partition of a log that is replayed.
final class PartitionReplay {
  let topic: String
  private let topicBytes: [UInt8]
  let number: Int32
  @exclusivity(unchecked) var engine: PartitionLog
  @exclusivity(unchecked) var keyRule: KeyRule
  /// The topic's mapping in force.
  @exclusivity(unchecked) private(set) var mapping: Mapping?
  /// The rules in force.
  @exclusivity(unchecked) private var rules: Int64
  /// The least under which anything was played.
  @exclusivity(unchecked) private(set) var oldestRules = LogRules.current
  let encoder: CommandEncoder
  /// The offset of the first record that was played; nil: none was.
  @exclusivity(unchecked) private(set) var firstOffset: Int64?
  /// Who has had the places of the watched room.
  @exclusivity(unchecked) var holders = Holders()
  /// The times that began in the watched room.
  @exclusivity(unchecked) var spans = Spans()

  init(topic: String, number: Int32, settings: LogSettings, hashSeed: UInt64) {
    let settings = settings.of(topic)
    self.topic = topic
    topicBytes = Array(topic.utf8)
    self.number = number
    name = "\(topic)/\(number)"
    engine = PartitionLog(settings: settings.engine, hashSeed: hashSeed, keepsChanges: false, log: name)
    keyRule = settings.keyRule
    mapping = settings.mapping
    rules = settings.rules
    encoder = CommandEncoder(topic: topic, partition: number, format: .json)
  }

  func isOf(_ topic: Text, _ number: Int32) -> Bool {
    self.number == number && topic.bytes.isSame(as: topicBytes)
  }

  func isOf(_ command: CommandName) -> Bool { topic == command.topic && number == command.partition }

  /// `topic/partition`.
  let name: String

  /// `topic/partition/offset`.
  func name(ofRecord offset: Int64) -> String { "\(name)/\(offset)" }

  /// Called before a record is played.
  func check(offset: Int64) throws(BrokenLog) {
    guard offset > engine.lastOffset else {
      throw BrokenLog("offset \(offset) comes after \(engine.lastOffset) of the same partition; offsets only go up")
    }
    if firstOffset == nil { firstOffset = offset }
    noteRules()
  }

  /// Called before idle timers fire, or a record without a check.
  func noteRules() { oldestRules = min(oldestRules, rules) }

  /// Called before anything else.
  func begin(with state: LogState) throws(BrokenLog) {
    guard engine.lastOffset == -1, engine.clock == .min, engine.settingsEpoch == 0, engine.roomCount == 0 else {
      throw BrokenLog("the state of rooms can only come before all else of its partition")
    }
    try state.resume(&engine)
    keyRule = state.settings.keyRule
    mapping = state.settings.mapping
    rules = state.settings.rules
  }

  /// The JSON of STAGES.md, section 10.
  func json(of command: RoomCommand) -> String {
    var json = ByteBuffer()
    encoder.encode(command, into: &json)
    return json.text.description
  }

  /// The settings in force in the room: the worker's, with its own.
  func settings(of room: ID) -> EngineSettings { room.withText { engine.settings(of: $0) } }

  func change(to settings: LogSettings) {
    engine.change(to: settings.engine)
    keyRule = settings.keyRule
    mapping = settings.mapping
    rules = settings.rules
  }
}
