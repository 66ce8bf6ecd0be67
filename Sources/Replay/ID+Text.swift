import RoomModel
import RoomScreen

extension ID {
  /// Its bytes, for as long as `body` runs.
  func withText<Result>(_ body: (Text) throws -> Result) rethrows -> Result { try string.withText(body) }

  /// On one line, and without what would move a terminal's cursor.
  package var printable: String { string.printable }

  static func == (id: ID, text: Text) -> Bool { text.bytes.elementsEqual(id.string.utf8) }
  static func != (id: ID, text: Text) -> Bool { !(id == text) }
}
