/// Commands and results on their way out, with the bytes of their texts.
///
/// It is kept and filled anew, so it allocates only while it grows. Texts lie in chunks that never move, so a view of
/// one is good until `removeAll()`.
package struct CommandBatch: ~Copyable {
  package private(set) var commands: [RoomCommand] = []
  /// In the order of the log, one for each grab.
  package private(set) var results: [GrabResult] = []
  /// Where they are wanted: what was skipped, of which commands tell only sums.
  package private(set) var skips: [SkippedItem] = []
  package var keepsSkips = false
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var chunk = 0
  private var used = 0

  private static var chunkSize: Int { 64 * 1024 }

  package init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  package mutating func append(_ command: RoomCommand) { commands.append(command) }

  package mutating func append(_ result: GrabResult) { results.append(result) }

  /// Keeps a skip, if it is to.
  @inlinable package mutating func note(_ skip: SkippedItem) {
    if keepsSkips { keepNote(skip) }
  }

  @usableFromInline mutating func keepNote(_ skip: SkippedItem) {
    skips.append(
      SkippedItem(roomId: keep(skip.roomId), stage: skip.stage, giftId: keep(skip.giftId), units: skip.units))
  }

  /// A copy of `text` that lives as long as the batch's contents.
  package mutating func keep(_ text: Text) -> Text {
    if text.count == 0 { return .empty }
    let target = room(for: text.count)
    target.copyMemory(from: text.start, byteCount: text.count)
    return Text(start: target, count: text.count)
  }

  /// The same of points.
  package mutating func keep(_ points: UnsafeBufferPointer<Point>) -> UnsafeBufferPointer<Point> {
    let size = points.count * MemoryLayout<Point>.stride
    guard size > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    // Texts end anywhere.
    let target = room(for: size + MemoryLayout<Point>.alignment - 1).alignedUp(for: Point.self)
    target.copyMemory(from: points.baseAddress!, byteCount: size)
    return UnsafeBufferPointer(start: target.bindMemory(to: Point.self, capacity: points.count), count: points.count)
  }

  package mutating func removeAll() {
    commands.removeAll(keepingCapacity: true)
    results.removeAll(keepingCapacity: true)
    if keepsSkips { skips.removeAll(keepingCapacity: true) }
    chunk = 0
    used = 0
  }

  private mutating func room(for count: Int) -> UnsafeMutableRawPointer {
    while chunk < chunks.count {
      if chunks[chunk].count - used >= count {
        defer { used += count }
        return chunks[chunk].baseAddress! + used
      }
      chunk += 1
      used = 0
    }
    chunks.append(.allocate(byteCount: max(count, Self.chunkSize), alignment: 16))
    used = count
    return chunks[chunk].baseAddress!
  }
}

/// A combo or a wish that was skipped.
package struct SkippedItem {
  package let roomId: Text
  package let stage: Skipped.Stage
  /// Empty for a wish.
  package let giftId: Text
  /// Gifts that were not shown, or 1 a wish.
  package let units: Int64

  @inlinable package init(roomId: Text, stage: Skipped.Stage, giftId: Text, units: Int64) {
    self.roomId = roomId
    self.stage = stage
    self.giftId = giftId
    self.units = units
  }
}
