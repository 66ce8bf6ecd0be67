import CZlib
import HTTP

enum Gzip {
  /// Below it, the frame costs more than it saves.
  private static let worthwhile = 1024

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    precondition(zlib_begin_gzip(&stream) == Z_OK, "no memory for zlib")
    defer { deflateEnd(&stream) }
    return bytes.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      return [UInt8](unsafeUninitializedCapacity: Int(deflateBound(&stream, UInt(input.count))) + 32) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "there is room for all of it")
        count = output.count - Int(stream.avail_out)
      }
    }
  }

  static func isAccepted(by request: Request) -> Bool {
    let codings = request.headerList("Accept-Encoding").listItems.map { $0.split(separator: ";").map(\.trimmed) }
    func parameters(of name: String) -> ArraySlice<String>? {
      codings.first { $0.first?.lowercased() == name }?.dropFirst()
    }
    // `*` is all that is not named.
    guard let parameters = parameters(of: "gzip") ?? parameters(of: "*") else { return false }
    // gzip;q=0 is a no.
    return !parameters.contains { $0.lowercased().hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
  }

  /// The answer, packed if the client takes that and it pays.
  static func pack(_ response: Response, for request: Request) -> Response {
    var response = response
    response.headers.append(.init("Vary", "Accept-Encoding"))
    guard response.body.count >= worthwhile, isAccepted(by: request) else { return response }
    response.body = packed(response.body)
    response.headers.append(.init("Content-Encoding", "gzip"))
    return response
  }
}
