/// A record of the changelog without a key: what was committed at `offset`, written with the same transaction.
///
/// Offsets of a group tell the newest commit alone. These tell one every few seconds of the log for as long as the
/// changelog is kept, so the rooms can be restored as they stood anywhere in it: the checkpoints of the commit lie
/// before the savepoint, from ``CommitMetadata/changelogFrom`` on.
package struct Savepoint: Equatable {
  package var offset: Int64
  package var metadata: CommitMetadata

  package init(offset: Int64, metadata: CommitMetadata) {
    self.offset = offset
    self.metadata = metadata
  }

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
