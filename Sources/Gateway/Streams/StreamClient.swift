import HTTP
import RoomScreen

/// Owns one stream: knows what it follows and how far it has come.
final class StreamClient {
  let address: String
  /// The user whose results it gets; nil: nobody's.
  let user: ID?
  let list: RoomList
  /// Nil before it is open, and once it is closed.
  var stream: EventStream?
  /// The number of the last result that it has been told, or knew before.
  var lastResult = 0
  /// Nil: the stream waits.
  var channel: Channel?
  private unowned let hub: StreamHub

  init(of hub: StreamHub, address: String, user: ID?, list: RoomList) {
    self.hub = hub
    self.address = address
    self.user = user
    self.list = list
  }
}

extension StreamClient: EventStreamOwner {
  func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] { hub.snapshots(of: list) }

  func closed(_ stream: EventStream) {
    hub.remove(self)
    self.stream = nil
  }
}

/// A client that has come further than its gateway. Its stream begins when the gateway is there.
struct WaitingClient {
  let client: StreamClient
  let position: StreamPosition
  /// The time of the monotonic clock after which it begins with snapshots.
  let untilMs: Int64

  /// Whether the gateway has come to where the client was, in every partition.
  func isReached(_ readTo: (Int32) -> Int64) -> Bool {
    zip(client.list.partitions, position.positions).allSatisfy { partition, position in
      position.offset < readTo(partition)
    }
  }
}
