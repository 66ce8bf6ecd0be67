import HTTP
import RoomScreen

/// Whom a stream is for; the hub finds it in the stream's note.
final class StreamClient {
  let address: String
  /// Whose results it gets.
  let user: ID?
  /// Results up to this one it has been told, or knew before.
  var lastResult = 0
  /// Nil: the stream waits.
  var channel: Channel?

  init(address: String, user: ID?) {
    self.address = address
    self.user = user
  }
}

/// A stream whose client has come further than its gateway; it begins when the gateway is there.
struct WaitingStream {
  let stream: EventStream
  let client: StreamClient
  let list: RoomList
  let position: StreamPosition
  /// Then it begins with snapshots.
  let untilMs: Int64

  /// Whether the gateway has come to where its client was, in every partition.
  func isReached(_ readTo: (Int32) -> Int64) -> Bool {
    zip(list.partitions, position.positions).allSatisfy { partition, position in position.offset < readTo(partition) }
  }
}
