package import HTTP
import RoomScreen

/// Owns one stream: knows what it follows and how far it has come.
package final class StreamClient<Stream: CommandStream> {
  let address: AddressGroup?
  /// The user whose results it gets; nil: nobody's.
  let user: ID?
  let list: RoomList
  /// Nil before it is open, and once it is closed.
  var stream: Stream?
  /// The number of the last result that it has been told, or knew before.
  var lastResult = 0
  /// Nil: the stream waits.
  var channel: Channel<Stream>?
  private unowned let hub: StreamHub<Stream>

  init(of hub: StreamHub<Stream>, address: AddressGroup?, user: ID?, list: RoomList) {
    self.hub = hub
    self.address = address
    self.user = user
    self.list = list
  }
}

extension StreamClient {
  /// It was too slow, and its events were thrown away: what it gets in their place.
  package func eventsInPlaceOfThoseMissed() -> [EventFrame] { hub.eventsInPlaceOfThoseMissed(by: self) }

  /// Its stream is over.
  package func closed() {
    hub.remove(self)
    stream = nil
  }
}

extension StreamClient: EventStreamOwner where Stream == EventStream {
  package func eventsInPlaceOfThoseMissed(by stream: EventStream) -> [EventFrame] { eventsInPlaceOfThoseMissed() }
  package func closed(_ stream: EventStream) { closed() }
}

/// A client that has come further than its gateway. Its stream begins when the gateway is there.
struct WaitingClient<Stream: CommandStream> {
  let client: StreamClient<Stream>
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
