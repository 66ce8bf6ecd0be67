import Replay
import RoomEngine
import RoomModel
import Settings
import TestSupport

/// A random log of room r1 and another, with all that a worker writes for it: journal, changelog and commands, a
/// transaction each.
final class WorkedLog {
  static let windowMs: Milliseconds = 2000

  /// The ids of the records' events, by offset.
  private(set) var ids: [String] = []
  private(set) var isOfRoom: [Bool] = []
  /// The names of the room's commands.
  private(set) var names: [CommandName] = []
  private(set) var times: [LogTime] = []

  private let partition: WorkedPartition
  private var random: SplitMix64

  var logs: ArrayLogs { partition.logs }

  init(seed: UInt64, count: Int) throws {
    random = SplitMix64(seed: seed)
    var settings = LogSettings()
    settings.engine.gift.lanes = .random(in: 1...2, using: &random)
    settings.engine.gift.queueLimit = [3, 60].randomElement(using: &random)!
    settings.engine.wish.tracks = 1
    settings.engine.dedupe.windowMs = Self.windowMs
    partition = try WorkedPartition(settings, checkpointMs: 300)
    var now: LogTime = 1_700_000_000_000
    for number in 0..<count {
      now += .random(in: 20...900, using: &random)
      take(number, at: now)
      if Int.random(in: 0..<3, using: &random) == 0 { partition.commit("c\(number)", at: now) }
      if Int.random(in: 0..<8, using: &random) == 0 { idle(&now) }
    }
    partition.commit("last", at: now)
  }

  private func take(_ number: Int, at now: LogTime) {
    let event = event(number)
    ids.append(event.id)
    isOfRoom.append(event.room == "r1")
    times.append(now)
    let value = #"{"eventId":"\#(event.id)","roomId":"\#(event.room)",\#(event.body)}"#
    publish(partition.take(value, room: event.room, at: now))
  }

  /// An id, a room and a body. Some come twice, and some can't be understood.
  private func event(_ number: Int) -> (id: String, room: String, body: String) {
    let user = "\(Int.random(in: 0..<5, using: &random))"
    let sender = #""sender":{"userId":"\#(user)","name":"n\#(user)"}"#
    let count = Int.random(in: 1...12, using: &random)
    let gift = #""gift":{\#(sender),"giftId":"\#(Bool.random(using: &random) ? "rose" : "car")","count":\#(count)}"#
    let earlier = max(0, number - .random(in: 1...8, using: &random))
    switch Int.random(in: 0..<26, using: &random) {
    case 0: return ("e\(earlier)", "r1", gift)
    case 1...4: return ("e\(number)", "r1", #""wish":{\#(sender),"text":"hi \#(number)","wishId":"w\#(number)"}"#)
    case 5, 6: return ("e\(number)", "r1", #""wishLike":{"userId":"\#(user)","wishId":"w\#(earlier)"}"#)
    case 7, 8: return ("e\(number)", "r1", #""tap":{"userId":"\#(user)","x":1,"y":2}"#)
    case 9: return ("e\(number)", "r1", #""retract":{"userId":"\#(user)","muteMs":\#(count > 6 ? 4000 : 0)}"#)
    case 10:
      return ("e\(number)", "r1", #""spot":{\#(sender),"spotId":"s\#(number)","content":"{}","durationMs":2000}"#)
    case 11: return ("e\(number)", "r1", #""gift":{\#(sender),"giftId":5}"#)
    case 12...14: return ("e\(number)", "r2", gift)
    default: return ("e\(number)", "r1", gift)
    }
  }

  private func idle(_ now: inout LogTime) {
    let deadline = now + .random(in: 100...3000, using: &random)
    guard let published = partition.fireTimers(through: deadline, at: deadline) else { return }
    now = deadline
    publish(published)
    partition.commit("i\(now)", at: now)
  }

  private func publish(_ published: [WorkedPartition.Published]) {
    for one in published {
      if one.room == "r1", one.topic == WorkedPartition.commands, let name = RoomLog.name(one.json) {
        names.append(name)
      }
      partition.publish(one)
    }
  }
}
