internal import RoomModel

/// A commit: its metadata and its offset.
///
/// A group has the newest alone. So every few seconds of the log it is written to the changelog, too, with the same
/// transaction, as a record without a key; from these the rooms can be restored as they stood anywhere in it. The
/// checkpoints that belong to it lie before it, from ``CommitMetadata/changelogFrom`` on.
package struct Savepoint: Equatable {
  package var offset: Int64
  package var metadata: CommitMetadata

  package init(offset: Int64, metadata: CommitMetadata) {
    self.offset = offset
    self.metadata = metadata
  }

  /// A replay begins at most this much earlier than it must.
  static let everyMs: Milliseconds = 10_000

  /// The offset, the metadata with the topic's mapping, and the checksum of both, with blanks between them. (With
  /// metadata of version 1 there is none.)
  package var text: String {
    let text = "\(offset) \(metadata.wholeText)"
    return "\(text) \(Checksum.text(of: text))"
  }

  /// - Throws: ``RestoreError/damagedMetadata`` for what is not as it was written; ``RestoreError/metadata(_:)`` for all
  ///   else that this version does not read.
  package init(_ value: UnsafeRawBufferPointer) throws(RestoreError) {
    let text = String(decoding: value, as: UTF8.self)
    let isOld = text.hasSuffix("}")
    let line = isOld ? text : String(text.dropLast(9))
    if text.contains("\"sum\":"), isOld || text != "\(line) \(Checksum.text(of: line))" { throw .damagedMetadata }
    let parts = line.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let offset = Int64(parts[0]) else { throw .metadata(text) }
    self.offset = offset
    metadata = try CommitMetadata(text: String(parts[1]))
  }
}
