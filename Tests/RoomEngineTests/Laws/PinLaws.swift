import RoomEngine
import RoomModel
import TestSupport
import Testing

/// Laws of every log with pins.
struct PinLaws {
  /// The pins of a room, by what its commands told.
  private struct Room {
    var endsAt: [String: LogTime] = [:]
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `a room never shows more pins than its limit, and tells each again before it is forgotten`(seed: UInt64) {
    var settings = RandomLog(seed: seed, count: 500, changesSettings: false).settings
    settings.pin.limit = max(1, settings.pin.limit)
    let log = RandomLog(seed: seed, count: 500, changesSettings: false)
    var rooms: [String: Room] = [:]
    play(log.inputs, settings) { command in
      let room = command.roomId.description
      rooms[room, default: Room()].endsAt = rooms[room, default: Room()].endsAt.filter { $0.value > command.atMs }
      switch command.body {
      case .pinShow(let show):
        rooms[room]!.endsAt[show.pinId.description] = show.endMs
        #expect(show.endMs > command.atMs)
        #expect(rooms[room]!.endsAt.count <= Int(settings.pin.limit))
      case .pinGone(let gone): #expect(rooms[room]!.endsAt.removeValue(forKey: gone.pinId.description) != nil)
      case .roomEnd: #expect(rooms[room]!.endsAt.isEmpty)
      default: break
      }
    }
  }

  private func play(_ inputs: [LogInput], _ settings: EngineSettings, _ body: (RoomCommand) -> Void) {
    var partition = PartitionLog(settings: settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for input in inputs {
      partition.take(input, into: &batch)
      for command in batch.commands { body(command) }
      batch.removeAll()
    }
  }
}
