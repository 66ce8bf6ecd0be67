internal import RoomModel

/// What was committed, and with which offset.
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

  /// The offset, a blank, and the metadata as it was committed.
  package var text: String { "\(offset) \(metadata.text)" }

  /// - Throws: ``RestoreError/metadata(_:)`` for what this version does not read.
  package init(_ value: UnsafeRawBufferPointer) throws(RestoreError) {
    let text = String(decoding: value, as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let offset = Int64(parts[0]) else { throw .metadata(text) }
    self.offset = offset
    metadata = try CommitMetadata(text: String(parts[1]))
  }
}
