import HTTP

/// The streams of one loop that asked for a user's results.
struct UserStreams {
  private var streams: [String: [(stream: EventStream, rooms: RoomList)]] = [:]

  mutating func add(_ stream: EventStream, of user: String, in rooms: RoomList) {
    streams[user, default: []].append((stream, rooms))
  }

  mutating func remove(_ stream: EventStream, of user: String) {
    streams[user]?.removeAll { $0.stream === stream }
    if streams[user]?.isEmpty == true { streams[user] = nil }
  }

  /// To those that are in the result's room. Without an id: who comes back is not told again.
  func send(_ result: ResultFeed.Grab) {
    guard let listening = streams[result.user] else { return }
    let frame = result.json.withUnsafeBytes { EventFrame("result", data: $0) }
    for (stream, rooms) in listening where rooms.rooms.contains(result.room) { stream.send(frame) }
  }
}
