/// Where the lines of a log come from: a file, or the broker. They come the same way from both, so that whatever goes
/// over a log needs not know which it is.
package protocol LogSource: AnyObject {
  /// The next line, nil when there are no more. What it holds is good until the next call.
  func next() throws -> LogLine?

  /// Where the last line stands.
  var place: LinePlace { get }

  /// Why what it gave so far may differ from what was, beside what its states say; a line each.
  var warnings: [String] { get }

  /// How much of it has been read, from 0 to 1.
  var progress: Double { get }
}
