import RoomModel

/// The reason why an event can't be understood (STAGES.md, section 2).
package struct NotUnderstood: Error, Equatable, Sendable {
  package let reason: Reason
  /// One line for the header `flyscreen-error`; it names the field and what would be right.
  package let description: String

  /// The reasons that metrics tell apart, by these names.
  package enum Reason: String, CaseIterable, Sendable {
    case noValue = "no_value"
    /// The batch of the record was not unpacked.
    case batchTooLarge = "batch_too_large"
    case contentType = "content_type"
    case notJSON = "not_json"
    case notProtobuf = "not_protobuf"
    case wrongType = "wrong_type"
    case outOfRange = "out_of_range"
    case tooLong = "too_long"
    case missing = "missing"
    case noRoom = "no_room"
    case key = "key"
    case noBody = "no_body"
    case unknownBody = "unknown_body"
    case twoBodies = "two_bodies"
    case streakWithoutCount = "streak_without_count"
    case twoIds = "two_ids"
    case muteWithoutUser = "mute_without_user"
    case sides = "sides"
    case unknownSetting = "unknown_setting"
    case noShape = "no_shape"
    /// The topic's mapping has it ignored: no error, and no dead letter.
    case passedOver = "passed_over"
  }

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}

/// A field as messages name it: `gift.sender.userId`.
struct FieldPath: CustomStringConvertible {
  /// The message that `owner` stands in; empty: none.
  let outer: StaticString
  let owner: StaticString
  let name: StaticString

  @inline(__always) init(_ owner: StaticString, _ name: StaticString) { self.init("", owner, name) }

  @inline(__always) init(_ outer: StaticString, _ owner: StaticString, _ name: StaticString) {
    self.outer = outer
    self.owner = owner
    self.name = name
  }

  var description: String {
    [outer, owner, name].filter { $0.utf8CodeUnitCount > 0 }.map { "\($0)" }.joined(separator: ".")
  }
}

extension NotUnderstood {
  @inline(never) static func wrongType(_ path: FieldPath, _ found: String, wanted: StaticString) -> NotUnderstood {
    NotUnderstood(.wrongType, "\(path): \(found) is not \(wanted)")
  }

  @inline(never) static func outOfRange(_ path: FieldPath, _ value: Int64, _ range: ClosedRange<Int64>) -> NotUnderstood
  {
    // Readers of numbers end at the bounds of 64 bits, so these may stand for what lies beyond.
    let found =
      switch value {
      case .max: "a number this large"
      case .min: "a number this small"
      default: "\(value)"
      }
    return NotUnderstood(.outOfRange, "\(path): \(found) is not in \(range.lowerBound)…\(range.upperBound)")
  }

  @inline(never) static func tooLong(_ path: FieldPath, _ count: Int, limit: Int) -> NotUnderstood {
    NotUnderstood(.tooLong, "\(path): \(count) bytes of UTF-8 are more than \(limit)")
  }

  @inline(never) static func missing(_ path: FieldPath) -> NotUnderstood {
    NotUnderstood(.missing, "\(path) must be there, and not be empty")
  }
}

extension Text {
  /// The text as messages show it: in quotes, on one line, cut where it gets long.
  var quoted: String {
    let shown = description.unicodeScalars.prefix(40)
    var line = "\""
    for scalar in shown {
      if scalar.properties.generalCategory.isPrintable {
        line.unicodeScalars.append(scalar)
      } else {
        line += "\u{fffd}"
      }
    }
    return line + (shown.endIndex < description.unicodeScalars.endIndex ? "…\"" : "\"")
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isPrintable: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
