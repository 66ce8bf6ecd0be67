import Gateway
import HTTP

/// A stream as ``EventStream`` is, whose socket takes what its client takes.
final class SimulatedStream: CommandStream {
  var place = 0
  private let owner: StreamClient<SimulatedStream>
  private let limit: Int
  private var queue: [EventFrame]
  private var isLagging = false
  private(set) var isOver = false
  /// More waited that is kept than it holds: its client finds the connection closed.
  private(set) var isCut = false
  /// The number of writes of commands.
  private(set) var writes = 0

  init(_ first: [EventFrame], owner: StreamClient<SimulatedStream>, limit: Int) {
    self.owner = owner
    self.limit = limit
    queue = first
  }

  func send(_ frame: EventFrame) {
    guard !isOver, !isCut else { return }
    if !isLagging, queue.count < limit { return queue.append(frame) }
    if !isLagging { queue = queue.filter(\.isKept) }
    isLagging = true
    guard frame.isKept else { return }
    if queue.count < limit { return queue.append(frame) }
    queue = []
    isCut = true
  }

  static func send(_ batch: EventBatch, to streams: [SimulatedStream]) {
    for stream in streams {
      stream.writes += 1
      for frame in batch.frames { stream.send(frame) }
    }
  }

  func restart(with frames: [EventFrame]) {
    guard !isLagging, !isOver else { return }
    queue = queue.filter(\.isKept) + frames
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    owner.closed()
  }

  /// The client takes the next event; nil: there is none.
  func take() -> EventFrame? {
    if isLagging, !isCut {
      let frames = owner.eventsInPlaceOfThoseMissed()
      isLagging = false
      queue += frames
    }
    return queue.isEmpty ? nil : queue.removeFirst()
  }
}
