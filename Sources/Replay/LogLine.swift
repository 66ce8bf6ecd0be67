package import JSON
package import RoomModel
package import Settings
package import Wire

/// One line of a saved log (STAGES.md, section 11). Its texts and values are the reader's, good until its next line.
package struct LogLine {
  package var topic: Text
  package var partition: Int32
  package var content: Content

  package init(topic: Text, partition: Int32, content: Content) {
    self.topic = topic
    self.partition = partition
    self.content = content
  }

  package enum Content {
    case record(LogRecord)
    /// On the idle log every timer with a deadline up to then was fired. `clock`: at least there stands the log's clock
    /// from then on; nil: the timers tell, as where those of all rooms are known.
    case firedTo(LogTime, clock: LogTime? = nil)
    /// The settings in force from here on. They are large and seldom, so they lie elsewhere.
    indirect case settings(LogSettings)
    /// Everything that was remembered before the records that follow; it stands first for its partition.
    indirect case state(LogState)
    /// A line of the journal is lost: what comes from here on may have been otherwise; and why.
    case doubt(String)
  }

  /// The reason why what comes from here on may differ from what was published; nil: it may not.
  package var warning: String? {
    switch content {
    case .state(let state): state.warning
    case .doubt(let why): why
    case .record, .firedTo, .settings: nil
    }
  }
}

/// A record as it lay in its partition.
package struct LogRecord {
  package var offset: Int64
  package var timestampMs: LogTime
  /// Nil: it has none.
  package var key: UnsafeRawBufferPointer?
  package var value: Value
  package var headers: [Header] = []
  /// The line that a value of JSON stands in.
  var line = UnsafeRawBufferPointer(start: nil, count: 0)

  package init(
    offset: Int64, timestampMs: LogTime, key: UnsafeRawBufferPointer?, value: Value, headers: [Header] = [],
    line: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    self.offset = offset
    self.timestampMs = timestampMs
    self.key = key
    self.value = value
    self.headers = headers
    self.line = line
  }

  /// A header's value may be null.
  package typealias Header = RecordHeader

  /// The value of its last header `content-type`.
  package var contentType: UnsafeRawBufferPointer? {
    headers.isEmpty ? nil : headers.last { $0.name == "content-type" }?.value
  }

  package enum Value {
    /// A record without one, or one of a room that was not asked for.
    case none
    /// JSON, which stands in the line as it is.
    case json(JSONValue)
    /// Anything else.
    case bytes(UnsafeRawBufferPointer)
  }
}

/// An error in a saved log, in a line without the place.
package struct BrokenLog: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// It was there, and was deleted.
  package let isGone: Bool

  package init(_ description: String, isGone: Bool = false) {
    self.description = description
    self.isGone = isGone
  }
}
