import JSON
package import RoomModel

/// Numbers of a log, as journals, commits and saved logs tell them: nil for what no log has, so that whoever goes on from
/// one can add to it.
extension JSONValue {
  package var time: LogTime? { integer.flatMap { LogTime.possible.contains($0) ? $0 : nil } }

  /// A time, or `LogTime.min`: nothing has come yet.
  package var clock: LogTime? { integer == .min ? .min : time }

  /// The offset of a record, or a count.
  package var natural: Int64? { integer.flatMap { (0...Self.most).contains($0) ? $0 : nil } }

  /// An offset, or -1: no record has come yet.
  package var lastOffset: Int64? { integer == -1 ? -1 : natural }

  private static var most: Int64 { 1 << 62 }
}
