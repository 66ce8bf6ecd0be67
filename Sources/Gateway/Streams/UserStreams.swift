import HTTP
import RoomScreen

/// The streams of one loop that asked for a user's results.
struct UserStreams {
  private var streams: [ID: [(stream: EventStream, rooms: RoomList)]] = [:]

  var isEmpty: Bool { streams.isEmpty }

  mutating func add(_ stream: EventStream, of user: ID, in rooms: RoomList) {
    streams[user, default: []].append((stream, rooms))
  }

  mutating func remove(_ stream: EventStream, of user: ID) {
    streams[user]?.removeAll { $0.stream === stream }
    if streams[user]?.isEmpty == true { streams[user] = nil }
  }

  /// To those that are in the result's room and don't know it.
  func send(_ grab: Grab) {
    guard let listening = streams[grab.user] else { return }
    let frame = EventFrame.result(grab)
    for (stream, rooms) in listening where rooms.rooms.contains(grab.room) {
      let client = stream.note as! StreamClient
      if client.lastResult < grab.number { stream.send(frame) }
    }
  }
}

extension EventFrame {
  /// Without an id: how far results have been told is in the ids of what comes after them.
  static func result(_ grab: Grab) -> EventFrame {
    grab.json.withUnsafeBytes { EventFrame("result", data: $0) }
  }
}
