import RoomEngine
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

/// What a screen shows of the pins of every log.
struct PinLaws {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a pin that nothing takes away is in each snapshot until its end`(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 400)
    var screens: [String: Screen] = [:]
    var pins: [String: [String: LogTime]] = [:]
    play(log.inputs, log.settings) { command in
      let room = command.roomId.description
      let published = Command(DecodedCommand(topic: Text("in"), partition: 0, command: command))
      screens[room, default: Screen(ID(room))].apply(published)
      switch command.body {
      case .pinShow(let show): pins[room, default: [:]][show.pinId.description] = show.endMs
      case .pinGone(let gone): pins[room]?[gone.pinId.description] = nil
      default: break
      }
      let now = command.atMs
      let shown = screens[room]!.snapshot.commands.compactMap { command -> String? in
        if case .pinShow(let show) = command.body { show.pinId.string } else { nil }
      }
      #expect(Set(shown) == Set((pins[room] ?? [:]).filter { $0.value > now }.keys))
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
