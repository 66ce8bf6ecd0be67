import JSON
import RoomEngine
import RoomModel
import RoomScreen

/// Counts of queues and arrivals.
extension TimelineRecorder {
  mutating func measure(_ step: RoomStep, _ part: Int, _ partition: PartitionReplay) {
    let start = step.at - (step.at % Self.span + Self.span) % Self.span
    var name = ByteBuffer(capacity: 256)
    name.append(string: room.string)
    let queued = partition.engine.queueLengths(of: name.text)
    if parts[part].interval?.start != start {
      flush(part)
      let before = parts[part].lastQueued
      parts[part].interval = Interval(start: start, most: before, last: before)
    }
    var interval = parts[part].interval!
    interval.most = (max(interval.most.combos, queued.combos), max(interval.most.wishes, queued.wishes))
    interval.last = queued
    if case .event(_, _, let arrival) = step.cause {
      if case .duplicate = arrival { interval.duplicates += 1 } else { interval.arrived += 1 }
    }
    parts[part].interval = interval
  }

  mutating func flush(_ part: Int) {
    guard let interval = parts[part].interval else { return }
    parts[part].interval = nil
    let before = parts[part].lastQueued
    if interval.arrived + interval.duplicates > 0 || interval.most != before {
      put("q", part, at: interval.start) {
        $0.member("g", interval.most.combos)
        $0.member("w", interval.most.wishes)
        if interval.arrived > 0 { $0.member("n", interval.arrived) }
        if interval.duplicates > 0 { $0.member("dup", interval.duplicates) }
      }
    }
    if interval.last != interval.most {
      put("q", part, at: interval.start + Self.span) {
        $0.member("g", interval.last.combos)
        $0.member("w", interval.last.wishes)
      }
    }
    parts[part].lastQueued = interval.last
  }
}
