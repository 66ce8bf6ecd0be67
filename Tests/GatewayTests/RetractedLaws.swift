import RoomEngine
import RoomModel
import RoomScreen
import TestSupport
import Testing
import Wire

@testable import Gateway

/// What is taken back is gone for whoever watches, and for whoever comes later.
struct RetractedLaws {
  /// One that is there from the beginning, and the ids that were taken back and have not come again.
  private struct Viewer {
    var screen: Screen
    var users: Set<ID> = []
    /// Of wishes, combos, items of the spot, pins and goals: ids of different kinds are never the same in these logs.
    var items: Set<ID> = []

    mutating func take(_ command: Command) {
      screen.apply(command)
      switch command.body {
      case .retracted(let retracted):
        items.formUnion(
          [retracted.wishId, retracted.comboId, retracted.spotId, retracted.pinId, retracted.goalId]
            .filter { !$0.isEmpty })
        if !retracted.userId.isEmpty { users.insert(retracted.userId) }
      case .wishFly(let fly): came(fly.wishId, fly.sender)
      case .giftShow(let show): came(show.comboId, show.sender)
      case .spotShow(let show): came(show.spotId, show.sender)
      case .pinShow(let show): came(show.pinId, show.sender)
      case .goalShow(let show): items.remove(show.goalId)
      default: break
      }
    }

    private mutating func came(_ id: ID, _ sender: Command.Sender) {
      items.remove(id)
      users.remove(sender.userId)
    }

    /// The ids on a screen and in a past that are taken back.
    func left(on screen: Screen, _ past: Past?) -> [ID] {
      var there: [(id: ID, user: ID)] = screen.banners.map { ($0.id, $0.sender.userId) }
      there += screen.gifts.filter { $0.phase == .shown }.map { ($0.id, $0.sender.userId) }
      there += screen.pins.map { ($0.id, $0.sender.userId) } + screen.goals.map { ($0.id, "") }
      if let spot = screen.spot { there += [(spot.id, spot.sender.userId), (spot.comboId, "")] }
      there += (past?.wishes ?? []).map { ($0.wishId, $0.sender.userId) }
      there += (past?.givers ?? []).map { ("", $0.sender.userId) }
      return there.flatMap { [items.contains($0.id) ? $0.id : nil, users.contains($0.user) ? $0.user : nil] }
        .compactMap(\.self)
    }
  }

  /// A topic that grew has it come behind later commands.
  @Test func `a retract that comes late takes a wish out of the list`() {
    var served = ServedPartition(begin: 0, lookbackMs: 1 << 40, byteLimit: 1 << 20)
    func received(_ offset: Int64, _ body: Command.Body) -> ReceivedCommand {
      let command = Command(roomId: "r", id: ID("in/0/\(offset)/0"), atMs: offset, body: body)
      let position = PartitionPosition(offset: offset, check: 0)
      return ReceivedCommand(
        command: command, entry: HistoryEntry(position: position, room: "r", json: [0], readMs: 0), home: 0)
    }
    let fly = Command.WishFly(
      wishId: "w1", track: 0, sender: Command.Sender(userId: "7", name: "ann"), text: "hi", width: 90, durationMs: 6000)
    served.apply(received(5, .wishFly(fly)))
    served.apply(received(7, .likeBurst(Command.LikeBurst(count: 1, points: []))))
    served.applyStray(received(6, .retracted(Command.Retracted(wishId: "w1"))))
    #expect(served.snapshot(of: "r", monotonicMs: 0, wallMs: 0).past?.wishes.isEmpty == true)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what was retracted is in no snapshot, on no screen and in no list`(seed: UInt64) throws {
    let log = RandomLog(seed: seed, count: 400)
    var partition = PartitionLog(settings: log.settings, hashSeed: 1, keepsChanges: false, log: "in/0")
    var served = ServedPartition(begin: 0, lookbackMs: 1 << 40, byteLimit: 1 << 20)
    var batch = CommandBatch()
    var viewers: [ID: Viewer] = [:]
    var (offset, retracts) = (Int64(0), 0)
    for input in log.inputs {
      partition.take(input, into: &batch)
      var touched: Set<ID> = []
      var unnamed: Set<ID> = []
      for command in batch.commands {
        let command = Command(DecodedCommand(topic: Text("in"), partition: 0, command: command))
        let entry = HistoryEntry(
          position: PartitionPosition(offset: offset, check: 0), room: command.roomId, json: [0], readMs: 0)
        offset += 1
        served.apply(ReceivedCommand(command: command, entry: entry, home: 0))
        viewers[command.roomId, default: Viewer(screen: Screen(command.roomId))].take(command)
        touched.insert(command.roomId)
        if case .retracted(let retracted) = command.body {
          retracts += 1
          unnamed = [retracted.userId]
        }
        // A crowd that a later gift joins may name its sender again.
        if case .crowdShow(let show) = command.body {
          #expect(!show.names.contains { unnamed.contains($0.userId) && !$0.userId.isEmpty })
        }
      }
      batch.removeAll()
      for name in touched {
        let viewer = viewers[name]!
        let snapshot = served.snapshot(of: name, monotonicMs: 0, wallMs: 0)
        var late = Screen(name)
        late.reset(to: snapshot)
        #expect(viewer.left(on: viewer.screen, nil).isEmpty && viewer.left(on: late, snapshot.past).isEmpty)
      }
    }
    #expect(retracts > 0)
  }
}
