package import RoomModel
package import Wire

/// One line of a saved log (STAGES.md, section 9). Its texts and values are the reader's, good until its next line.
package struct LogLine {
  package var topic: Text
  package var partition: Int32
  package var content: Content

  package enum Content {
    case record(LogRecord)
    /// On the idle log every timer with a deadline up to then was fired.
    case firedTo(LogTime)
    /// From here these are in force: those that differ from the defaults, nested by their dots.
    case settings(JSONValue)
    /// How the rooms stood before the record with that offset, in a form of the program's own.
    case state
  }
}

/// A record as it lay in its partition.
package struct LogRecord {
  package var offset: Int64
  package var timestampMs: LogTime
  /// Nil: it has none.
  package var key: UnsafeRawBufferPointer?
  package var value: Value
  /// That of its last header `content-type`.
  package var contentType: UnsafeRawBufferPointer?

  package enum Value {
    /// A record without one, or one of a room that was not asked for.
    case none
    /// JSON, which stands in the line as it is.
    case json(JSONValue)
    /// Anything else.
    case bytes(UnsafeRawBufferPointer)
  }
}

/// What is wrong with a saved log, in a line without the place.
package struct BrokenLog: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension BrokenLog {
  static var unknownState: BrokenLog {
    BrokenLog("it holds the state of rooms in a form that this program doesn't know, so it can't go on from there")
  }
}
