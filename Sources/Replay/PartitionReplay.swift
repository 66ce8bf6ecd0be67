import RoomEngine
import RoomModel
import Settings
import Wire

/// One partition of a log that is replayed.
final class PartitionReplay {
  let topic: String
  let number: Int32
  var log: PartitionLog
  var keyRule: KeyRule
  let encoder: CommandEncoder
  /// Those that some event was understood for.
  var rooms: Set<String> = []

  init(topic: String, number: Int32, settings: LogSettings, hashSeed: UInt64) {
    self.topic = topic
    self.number = number
    log = PartitionLog(settings: settings.engine, hashSeed: hashSeed, keepsChanges: false)
    keyRule = settings.keyRule
    encoder = CommandEncoder(topic: topic, partition: number, format: .json)
  }

  func change(to settings: LogSettings) {
    log.change(to: settings.engine)
    keyRule = settings.keyRule
  }
}
