import RoomEngine
import RoomModel
import RoomScreen
import Wire

/// The standing of an event at the end of a log.
extension EventTrace {
  mutating func addStanding(in partition: PartitionReplay, room: Text) {
    let now = partition.engine.clock
    if let id = tier?.id {
      add(
        now, "where this piece of the log ends, item \(id.printable) still waits for the spot",
        .shown)
      endTier(at: now, "still waits where this piece of the log ends", in: partition)
    }
    let picture = partition.engine.picture(of: room)
    let words: String
    switch following {
    case .combo(let combo, _, _, _, let isCounted):
      if let place = picture.queue.firstIndex(where: { $0.offset == combo }) {
        words = "queued, place \(place + 1) of \(picture.queue.count): \(picture.queue[place].standing(partitionName))"
      } else if let own = picture.lanes.compactMap({ $0 }).first(where: { $0.offset == combo }) {
        words = (isCounted ? "all of it is drawn; still " : "") + "on a lane: \(own.standing(partitionName))"
        // More of it is yet to be drawn.
        if !isCounted { outcome = nil }
      } else {
        words = "gone"
      }
    case .wish(let id):
      if let place = picture.wishQueue.firstIndex(where: { ID($0.wishId) == id }) {
        words = "queued, place \(place + 1) of \(picture.wishQueue.count); \(picture.wishQueue[place].waiting)"
      } else if case .flying(let track, _, let landsAt)? = picture.flying.first(where: { ID($0.wishId) == id })?.place {
        words = "on track \(track); lands \(landsAt.clock)"
        outcome = .flies(track: track, landsAt: landsAt)
      } else {
        words = "gone"
      }
    case .like: words = "the like is counted and waits to be told"
    case .skipped: words = "skipped, and that waits to be told"
    case .crowd: words = "joined a crowd, and that waits to be told"
    case .spot(let id):
      let before = picture.spotQueue.firstIndex { ID($0.spotId) == id } ?? 0
      words = "queued for the spot, place \(before + 1) of \(picture.spotQueue.count)"
    case .pin(let id, _):
      guard let pin = picture.pins.first(where: { ID($0.pinId) == id }) else { return }
      words = "shown until \(pin.endsAt.clock)"
    case .goal(_, let story): words = story.words
    case .burst: words = "the like is counted and waits for its burst"
    case .tally: words = "the packet is opened, and the tally waits to be told"
    case .rain(let id):
      guard let rain = picture.rains.first(where: { ID($0.rainId) == id }) else { return }
      words = "the rain runs: \(rain.standing)"
    case .keeping(let kept): return endKeeping(at: now, isOver: now >= kept.until)
    case .nothing:
      return
    }
    if outcome == nil || waiting != nil { outcome = .standing(words) }
    endWait(at: now, in: partition)
    add(now, "where this piece of the log ends: \(words)", .logTime)
  }
}

extension CommandName {
  init(_ partition: PartitionReplay, _ command: RoomCommand) {
    self.init(
      topic: partition.topic, partition: partition.number, offset: command.recordOffset, place: command.place)
  }
}

extension Decision.ComboPlace {
  var isNew: Bool { if case .new = self { true } else { false } }

  var words: String {
    switch self {
    case .new: "new"
    case .queued: "queued"
    case .onLane(let lane, let shown, _): "on lane \(lane) with ×\(shown) shown"
    case .leaving(let lane): "leaving lane \(lane)"
    case .resting: "resting, so it is queued again"
    }
  }
}
