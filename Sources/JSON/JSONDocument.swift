import CSimdjson

/// A reader of JSON documents, one after the other. Values and texts of a document die with the next one.
///
/// JSON here is what all parsers read alike (STAGES.md, section 2). simdjson refuses integers beyond 64 bits, numbers
/// beyond a double and lone surrogates, wherever they stand.
public struct JSONDocument: ~Copyable {
  private var parser: UnsafeMutableRawPointer
  private let depth: Int
  /// Whether the parser is for the last document alone, which was so large that its memory is not worth keeping, or deeper
  /// than others may be.
  private var isForOne = false

  /// The depth to which an event may nest: simdjson's default.
  public static var eventDepth: Int { 1024 }
  /// A line of a log nests its event one deeper.
  public static var lineDepth: Int { eventDepth + 1 }

  private static var largeCount: Int { 1 << 20 }

  public init(depth: Int = JSONDocument.eventDepth) {
    self.depth = depth
    parser = simdjson_parser_new(depth)
  }

  deinit { simdjson_parser_free(parser) }

  /// The value that `bytes` hold; good until the next call.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> JSONValue {
    if isForOne { forgetParser() }
    isForOne = bytes.count > Self.largeCount
    // Some versions of simdjson skip a byte order mark, and some refuse it. No value begins with its first byte.
    if bytes.first == 0xef { throw JSONSyntaxError(description: "it begins with a byte order mark or another letter") }
    var document = simdjson_parse(parser, bytes.baseAddress, bytes.count)
    if document.error == simdjson_too_deep, Self.nesting(of: bytes) == depth {
      // simdjson counts no empty object or list, so it takes one beyond its bound; if none is empty, one less.
      simdjson_parser_free(parser)
      parser = simdjson_parser_new(depth + 1)
      isForOne = true
      document = simdjson_parse(parser, bytes.baseAddress, bytes.count)
    }
    guard document.error == 0, let tape = document.tape, let strings = document.strings else {
      throw JSONSyntaxError(description: String(cString: simdjson_error_text(document.error)))
    }
    return JSONValue(tape: tape, strings: strings, place: 1)
  }

  /// The number of objects and lists one within the other, where it is JSON.
  private static func nesting(of bytes: UnsafeRawBufferPointer) -> Int {
    var (inside, most) = (0, 0)
    var (isText, isEscaped) = (false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        inside += 1
        most = max(most, inside)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): inside -= 1
      default: break
      }
    }
    return most
  }

  @inline(never) private mutating func forgetParser() {
    simdjson_parser_free(parser)
    parser = simdjson_parser_new(depth)
  }
}

/// The reason why bytes are not JSON, in a line.
public struct JSONSyntaxError: Error, Equatable, Sendable {
  public let description: String
}
