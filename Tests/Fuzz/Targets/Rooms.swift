import RoomEngine
import RoomModel

/// A room's state: it is put in, and the room goes on from there.
extension FuzzTarget {
  static let rooms = [FuzzTarget("room-states", seeds: { Samples.states }, run: install)]

  private static func install(_ state: UnsafeRawBufferPointer) {
    var batch = CommandBatch()
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    log.resume(clock: Samples.clock, lastOffset: 1000, settings: EngineSettings(), settingsEpoch: 0)
    let room = Text("r1")
    guard let handle = try? log.install(room: room, state: state) else {
      if log.roomCount > 0 { fatalError("a part of a state that can't be read is there") }
      return
    }
    reinstall(handle, of: log)
    var offset: Int64 = 1000
    for event in Samples.events + Samples.events {
      offset += 1
      // One at a time, and not all: some states have more of them than anyone would wait for.
      for _ in 0..<20 where log.nextTimer(of: room, through: Samples.clock + offset * 100) != nil {
        log.fireNextTimer(of: room, into: &batch)
      }
      guard log.nextTimer(of: room, through: Samples.clock + offset * 100) == nil else { break }
      _ = log.apply(offset: offset, timestampMs: Samples.clock + offset * 100, event: event, into: &batch)
      _ = log.picture(of: room)
      batch.removeAll()
    }
    for _ in 0..<200 where log.nextTimer(of: room, through: .max - 1) != nil {
      log.fireNextTimer(of: room, into: &batch)
    }
    _ = log.picture(of: room)
    log.forEachRoom { reinstall($0, of: log) }
  }

  /// A state that can be taken in can be written, and taken in again.
  private static func reinstall(_ room: PartitionLog.RoomHandle, of log: borrowing PartitionLog) {
    var state: [UInt8] = []
    log.writeState(of: room, into: &state)
    var other = PartitionLog(settings: EngineSettings(), hashSeed: 2, keepsChanges: false, log: "in/0")
    other.resume(clock: log.clock, lastOffset: log.lastOffset, settings: EngineSettings(), settingsEpoch: 0)
    state.withUnsafeBytes { bytes in
      do { _ = try other.install(room: Text("r1"), state: bytes) } catch {
        fatalError("a state that the engine wrote itself can't be read: \(error)")
      }
    }
  }
}
