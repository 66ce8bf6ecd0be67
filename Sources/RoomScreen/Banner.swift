package import RoomModel

/// A wish on its way from right to left.
package struct Banner: Equatable, Sendable {
  package let wishId: String
  package let track: Int
  package let sender: Person
  package let text: String
  package let style: String
  package let width: Int64
  package let startMs: LogTime
  package let durationMs: Milliseconds
  package internal(set) var likes: Int64
  /// When its likes changed last.
  package internal(set) var likedAtMs: LogTime?

  package var landMs: LogTime { startMs + durationMs }

  init(_ fly: WishFly, startMs: LogTime) {
    wishId = fly.wishId.description
    track = Int(fly.track)
    sender = Person(fly.sender)
    text = fly.text.description
    style = fly.style.description
    width = fly.width
    self.startMs = startMs
    durationMs = fly.durationMs
    likes = fly.likes
  }

  /// Where its left edge is on a stage of `stageWidth`, in the units of both widths: at `stageWidth` when it starts,
  /// at −`width` when it lands.
  package func left(atMs: LogTime, width: Int64, stageWidth: Int64) -> Int64 {
    let flown = min(max(atMs - startMs, 0), durationMs)
    return stageWidth - (stageWidth + width) * flown / durationMs
  }
}
