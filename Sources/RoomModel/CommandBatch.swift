/// Commands on their way out, with the bytes of their texts.
///
/// It is kept and filled anew, so it allocates only while it grows. Texts lie in chunks that never move, so a view of
/// one is good until `removeAll()`.
package struct CommandBatch: ~Copyable {
  package private(set) var commands: [RoomCommand] = []
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var chunk = 0
  private var used = 0

  private static var chunkSize: Int { 64 * 1024 }

  package init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  package mutating func append(_ command: RoomCommand) { commands.append(command) }

  /// A copy of `text` that lives as long as the batch's contents.
  package mutating func keep(_ text: Text) -> Text {
    if text.count == 0 { return .empty }
    let target = room(for: text.count)
    target.copyMemory(from: text.start, byteCount: text.count)
    return Text(start: target, count: text.count)
  }

  package mutating func removeAll() {
    commands.removeAll(keepingCapacity: true)
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
