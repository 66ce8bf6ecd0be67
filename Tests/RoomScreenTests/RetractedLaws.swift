import RoomEngine
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

/// What is taken back leaves what a gateway keeps of a room.
struct RetractedLaws {
  private struct Room {
    var screen: Screen
    var past = PastKeeper()
    /// Ids of wishes and users that were taken back, and that have not come again.
    var wishes: Set<ID> = []
    var users: Set<ID> = []
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `what was retracted is in no past and on no screen`(seed: UInt64) {
    let log = RandomLog(seed: seed, count: 500)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    var rooms: [ID: Room] = [:]
    var retracts = 0
    for input in log.inputs {
      partition.take(input, into: &batch)
      for command in batch.commands {
        let command = Command(DecodedCommand(topic: Text("in"), partition: 0, command: command))
        var room = rooms[command.roomId] ?? Room(screen: Screen(command.roomId))
        if room.screen.apply(command) { room.past.apply(command) }
        switch command.body {
        case .retracted(let retracted):
          retracts += 1
          if !retracted.wishId.isEmpty { room.wishes.insert(retracted.wishId) }
          if !retracted.userId.isEmpty { room.users.insert(retracted.userId) }
        // It came again.
        case .wishFly(let fly):
          room.wishes.remove(fly.wishId)
          room.users.remove(fly.sender.userId)
        case .giftShow(let show): room.users.remove(show.sender.userId)
        case .pinShow(let show): room.users.remove(show.sender.userId)
        default: break
        }
        rooms[command.roomId] = room
      }
      batch.removeAll()
      // All commands of one record belong together: a retract's own take things off the screen.
      for room in rooms.values {
        guard let past = room.past.past else { continue }
        #expect(!past.wishes.contains { room.wishes.contains($0.wishId) || room.users.contains($0.sender.userId) })
        #expect(!past.givers.contains { room.users.contains($0.sender.userId) })
        #expect(!room.screen.banners.contains { room.wishes.contains($0.wishId) })
        #expect(!room.screen.pins.contains { room.users.contains($0.sender.userId) })
      }
    }
    #expect(retracts > 0)
  }

  @Test func `gifts of a combo that is taken back count no more, and others do`() {
    var past = PastKeeper()
    func say(_ offset: Int, _ body: Command.Body) {
      past.apply(Command(roomId: "r", id: ID("in/0/\(offset)/0"), atMs: Int64(offset), body: body))
    }
    let ann = Command.Sender(userId: "7", name: "ann")
    for (offset, value) in [(1, Int64(10)), (2, 100)] {
      let combo = ID("in/0/\(offset)")
      say(
        offset,
        .giftShow(
          Command.GiftShow(comboId: combo, lane: 0, sender: ann, giftId: "rose", value: value, total: 3, enterMs: 0)))
      say(offset, .giftBump(Command.GiftBump(comboId: combo, lane: 0, count: 3, tickMs: 300)))
      say(offset, .giftHide(Command.GiftHide(comboId: combo, lane: 0, count: 3, exitMs: 250)))
    }
    #expect(past.past?.givers.map(\.coins) == [330])
    say(5, .retracted(Command.Retracted(comboId: "in/0/2")))
    #expect(past.past?.givers.map(\.coins) == [30] && past.past?.givers.map(\.gifts) == [3])
    say(6, .retracted(Command.Retracted(userId: "7")))
    #expect(past.past?.givers.isEmpty == true)
  }
}
