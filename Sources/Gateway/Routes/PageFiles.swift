import HTTP
import Page
import RoomModel

/// The page's files, as browsers get them: packed once, and not sent again while they are the same.
struct PageFiles: Sendable {
  private struct File: Sendable {
    let contentType: String
    let plain: [UInt8]
    let packed: [UInt8]
    let tag: String
  }

  private let files: [String: File]

  /// Nothing from elsewhere; pictures of senders may be anywhere.
  private static let security: [Response.Header] = [
    .init(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self';"
        + " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"),
    // The address may hold a token.
    .init("Referrer-Policy", "no-referrer"),
    .init("X-Content-Type-Options", "nosniff"),
    .init("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  init() {
    var files: [String: File] = [:]
    for number in 0..<page_file_count() {
      let file = page_file(number)!.pointee
      let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
      files[String(cString: file.path)] = File(
        contentType: String(cString: file.contentType), plain: bytes, packed: Gzip.packed(bytes),
        tag: String(fnv1a(bytes), radix: 36))
    }
    self.files = files
  }

  /// Nil: there is no such file.
  func response(to request: Request) -> Response? {
    guard let file = files["/" + request.target.segments.joined(separator: "/")] else { return nil }
    let isPacked = Gzip.isAccepted(by: request) && file.packed.count < file.plain.count
    // Packed or not, they are two things to a cache.
    let tag = isPacked ? "\"\(file.tag)-gzip\"" : "\"\(file.tag)\""
    let caching: [Response.Header] = [
      .init("ETag", tag), .init("Cache-Control", "no-cache"), .init("Vary", "Accept-Encoding"),
    ]
    let known = request.headerList("If-None-Match").split(separator: ",").map(\.trimmed)
    if known.contains(where: { $0 == tag || $0 == "W/" + tag || $0 == "*" }) { return Response(.notModified, caching) }
    var response = Response(.ok, contentType: file.contentType, isPacked ? file.packed : file.plain)
    response.headers += caching + Self.security
    if isPacked { response.headers.append(.init("Content-Encoding", "gzip")) }
    return response
  }
}
