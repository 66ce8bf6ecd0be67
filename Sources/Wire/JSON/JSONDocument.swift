import CSimdjson

/// A reader of JSON documents, one after the other. Values and texts of a document die with the next one.
///
/// JSON here is what all parsers read alike (STAGES.md, section 2). simdjson refuses integers beyond 64 bits, numbers
/// beyond a double and lone surrogates, wherever they stand.
package struct JSONDocument: ~Copyable {
  private var parser: UnsafeMutableRawPointer
  private let depth: Int
  /// Whether the last document was so large that its parser's memory is not worth keeping.
  private var wasLarge = false

  /// The depth to which an event may nest: simdjson's default.
  package static var eventDepth: Int { 1024 }
  /// A line of a log nests its event one deeper.
  package static var lineDepth: Int { eventDepth + 1 }

  private static var largeCount: Int { 1 << 20 }

  package init(depth: Int = JSONDocument.eventDepth) {
    self.depth = depth
    parser = simdjson_parser_new(depth)
  }

  deinit { simdjson_parser_free(parser) }

  /// The value that `bytes` hold; good until the next call.
  package mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    if wasLarge { forgetParser() }
    wasLarge = bytes.count > Self.largeCount
    // Some versions of simdjson skip a byte order mark, and some refuse it. No value begins with its first byte.
    if bytes.first == 0xef { throw JSONSyntaxError(description: "it begins with a byte order mark or another letter") }
    let document = simdjson_parse(parser, bytes.baseAddress, bytes.count)
    guard document.error == 0, let tape = document.tape, let strings = document.strings else {
      throw JSONSyntaxError(description: String(cString: simdjson_error_text(document.error)))
    }
    return JSONValue(tape: tape, strings: strings, place: 1)
  }

  /// The same of a record's value.
  @inline(__always) mutating func value(of record: UnsafeRawBufferPointer) throws(NotUnderstood) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try parse(record)
    } catch {
      throw NotUnderstood(.notJSON, "not JSON: \(error.description)")
    }
  }

  @inline(never) private mutating func forgetParser() {
    simdjson_parser_free(parser)
    parser = simdjson_parser_new(depth)
  }
}

/// The reason why bytes are not JSON, in a line.
package struct JSONSyntaxError: Error, Equatable, Sendable {
  package let description: String
}
