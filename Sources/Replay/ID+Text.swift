import RoomModel
import RoomScreen

extension ID {
  /// Its bytes, for as long as `body` runs.
  func withText<Result>(_ body: (Text) throws -> Result) rethrows -> Result { try string.withText(body) }

  /// On one line, with what would move a terminal's cursor escaped.
  package var printable: String { string.printable }

  static func == (id: ID, text: Text) -> Bool {
    // Compares words where it can: an id's bytes lie in a row.
    id.string.utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return text.bytes.isEmpty }
      return Text(start: start, count: bytes.count) == text
    } ?? text.bytes.elementsEqual(id.string.utf8)
  }
  static func != (id: ID, text: Text) -> Bool { !(id == text) }
}
