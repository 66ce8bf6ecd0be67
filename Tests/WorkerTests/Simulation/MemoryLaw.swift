import Kafka
import Recovery
import RoomEngine
import RoomModel
import Worker

/// A partition's rooms as figures.
struct RoomFigures: Equatable {
  var clock: LogTime
  var nextDeadline: LogTime
  var liveRooms: Int
  var queued: QueuedItems
  var rooms: Int
  var eventIds: Int
}

extension SimulatedWorld {
  /// Describes memory, clients or records of an input that a process at rest keeps and does not need; nil: there are none.
  ///
  /// - Parameter isWritten: Whether the changelog has all rooms, so that no ended room waits to be written.
  func excess(of processes: [SimulatedProcess], isWritten: Bool = false) -> String? {
    for process in processes {
      guard let member = process.member else { continue }
      if process.consumers.count > 1 { return "\(process.name) has \(process.consumers.count) consumers" }
      if process.openReaders > 0 { return "\(process.name) has \(process.openReaders) readers, and restores nothing" }
      if process.openProducers > ProducerTurn.allCases.count {
        return "\(process.name) has \(process.openProducers) producers"
      }
      let given = Set(process.consumers.first?.assigned ?? [])
      if let other = member.partitions.first(where: { !given.contains($0) }) {
        return "\(process.name) remembers \(other), which another has"
      }
      for partition in member.running {
        guard let found = member.figures(of: partition), var right = laws.figures(of: partition) else { continue }
        // Later records forget ids whose time is over, and a restore meets others of them than the first owner.
        right.rooms = isWritten ? min(found.rooms, right.rooms) : found.rooms
        right.eventIds = min(found.eventIds, Int(kafka.log(partition).end))
        if found != right { return "\(process.name): \(partition): \(found) in place of \(right)" }
        if isWritten, let needed = neededRecords(of: partition) { return "\(process.name): \(partition): \(needed)" }
      }
    }
    return nil
  }

  /// What a restore would need of the input, though the changelog has all rooms.
  private func neededRecords(of partition: TopicPartition) -> String? {
    guard !kafka.isUnstable(partition), let committed = kafka.committed(partition),
      let metadata = try? CommitMetadata(text: committed.metadata), metadata.applyFrom < committed.offset
    else { return nil }
    return "a restore at \(committed.offset) needs records from \(metadata.applyFrom) on"
  }
}
