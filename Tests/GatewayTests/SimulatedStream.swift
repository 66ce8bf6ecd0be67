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
  /// Events were thrown away that nothing takes the place of.
  private(set) var hasLostResults = false
  /// Of commands.
  private(set) var writes = 0

  init(_ first: [EventFrame], owner: StreamClient<SimulatedStream>, limit: Int) {
    self.owner = owner
    self.limit = limit
    queue = first
  }

  func send(_ frame: EventFrame) {
    guard !isOver else { return }
    if !isLagging, queue.count < limit {
      queue.append(frame)
    } else {
      lose(queue + [frame])
      queue = []
      isLagging = true
    }
  }

  private func lose(_ frames: [EventFrame]) {
    if frames.contains(where: { $0.isResult }) { hasLostResults = true }
  }

  static func send(_ batch: EventBatch, to streams: [SimulatedStream]) {
    for stream in streams {
      stream.writes += 1
      for frame in batch.frames { stream.send(frame) }
    }
  }

  func restart(with frames: [EventFrame]) {
    guard !isLagging, !isOver else { return }
    lose(queue)
    queue = frames
  }

  func end() {
    guard !isOver else { return }
    isOver = true
    owner.closed()
  }

  /// The client takes the next event; nil: there is none.
  func take() -> EventFrame? {
    if queue.isEmpty, isLagging {
      let frames = owner.eventsInPlaceOfThoseMissed()
      isLagging = false
      queue = frames
    }
    return queue.isEmpty ? nil : queue.removeFirst()
  }
}

extension EventFrame {
  fileprivate var isResult: Bool { bytes(chunked: false).starts(with: "event: result".utf8) }
}
