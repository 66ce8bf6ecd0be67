/// A source of a log's lines: a file, or the broker. They come the same way from both, so that whatever goes
/// over a log needs not know which it is.
package protocol LogSource: AnyObject {
  /// The next line, nil when there are no more. Its contents are good until the next call.
  func next() throws -> LogLine?

  /// Hands over records of the last line's partition, from the next on, up to the first that another line comes before
  /// or that is not taken. A source may hand over none: `next` has them all.
  func records(while isTaken: (StoredRecord) -> Bool) throws

  /// The last line's place.
  var place: LinePlace { get }

  /// Reasons for which its lines may differ from the log as it was, beside those of its states; a line each.
  var warnings: [String] { get }

  /// The share that has been read, from 0 to 1.
  var progress: Double { get }
}

extension LogSource {
  package func records(while isTaken: (StoredRecord) -> Bool) throws {}
}
