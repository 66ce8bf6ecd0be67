import HTTP
import Page
import RoomModel

/// The page's files, as browsers get them: packed once, and not sent again while they are the same.
struct PageFiles: Sendable {
  private struct File: Sendable {
    let contentType: String
    /// The address tells the content.
    let isKept: Bool
    let plain: [UInt8]
    let packed: [UInt8]
    let tag: String
  }

  private let files: [String: File]
  /// The version of the client package.
  private let version: String
  private let security: [Response.Header]

  /// Nothing from elsewhere but pictures and films. `data:` is the page's own drawings, in its styles.
  private static func security(_ embedders: [String], _ pictures: [String]) -> [Response.Header] {
    let ancestors = (["'self'"] + embedders).joined(separator: " ")
    let images = (["'self'"] + pictures.map { $0 == "*" ? "https:" : $0 }).joined(separator: " ")
    return [
      .init(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: \(images); media-src \(images); connect-src 'self';"
          + " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors \(ancestors)"),
      // The address may hold a token.
      .init("Referrer-Policy", "no-referrer"),
      .init("X-Content-Type-Options", "nosniff"),
      .init("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }

  /// - Parameters:
  ///   - embedders: Origins whose pages may frame this one.
  ///   - pictures: Origins that pictures and films may come from; `*`: any by https.
  init(embedders: [String], pictures: [String], gifts: GiftCatalogue) {
    security = Self.security(embedders, pictures)
    var files: [String: File] = [:]
    let giftsTag = String(fnv1a(gifts.json), radix: 36)
    // The page says where the gifts are, by their content: with none of its own it asks for none.
    let giftsPlace = gifts.isEmpty ? "" : "<meta name=\"gifts\" content=\"/gifts?v=\(giftsTag)\" />"
    for file in pageFiles {
      let text = file.path == "/" ? file.text.replacing("</head>", with: giftsPlace + "</head>") : file.text
      let bytes = Array(text.utf8)
      files[file.path] = File(
        contentType: file.contentType, isKept: file.isKept, plain: bytes, packed: Gzip.packed(bytes),
        tag: String(fnv1a(bytes), radix: 36))
    }
    files["/gifts"] = File(
      contentType: "application/json", isKept: false, plain: gifts.json, packed: Gzip.packed(gifts.json),
      tag: giftsTag)
    self.files = files
    version = pageVersion
  }

  /// Nil: there is no such file.
  func response(to request: Request) -> Response? {
    let segments = request.target.words
    if let first = segments.first, first.hasPrefix(Self.package) { return packaged(segments, request) }
    return response("/" + segments.joined(separator: "/"), request)
  }

  private static let package = "flyscreen@"

  /// The client as a package, at the address of its version (`/flyscreen@1.0.0/flyscreen.js`), where it never changes;
  /// another version of the same first number, or that number alone, leads there. Others are not there.
  private func packaged(_ segments: [String], _ request: Request) -> Response? {
    let asked = segments[0].dropFirst(Self.package.count)
    let path = "/" + segments.dropFirst().joined(separator: "/")
    guard path == "/flyscreen.js" || path == "/package.json" else { return nil }
    if asked == version { return response(path, request, isKept: true) }
    let numbers = asked.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.first == version.split(separator: ".").first, numbers.count <= 3,
      numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
    else { return nil }
    // Relative: behind a proxy the gateway may have a path of its own.
    let up = String(repeating: "../", count: segments.count - 1)
    let place = "\(up)\(Self.package)\(version)\(path)"
    var response = Response(.temporaryRedirect, contentType: "text/plain; charset=utf-8", Array("\(place)\n".utf8))
    response.headers += [.init("Location", place), .init("Cache-Control", "public, max-age=300")]
    return response
  }

  private func response(_ path: String, _ request: Request, isKept: Bool = false) -> Response? {
    guard let file = files[path] else { return nil }
    // Another gateway may have other gifts: what is asked for by its content is kept only if it is that.
    let isAsked = path == "/gifts" && request.target["v"] == file.tag
    let keep = isKept || file.isKept || isAsked ? "public, max-age=31536000, immutable" : "no-cache"
    let isPacked = Gzip.isAccepted(by: request) && file.packed.count < file.plain.count
    // Packed or not, they are two things to a cache.
    let tag = isPacked ? "\"\(file.tag)-gzip\"" : "\"\(file.tag)\""
    let caching: [Response.Header] = [
      .init("ETag", tag), .init("Cache-Control", keep), .init("Vary", "Accept-Encoding"),
    ]
    let known = request.headerList("If-None-Match").listItems
    if known.contains(where: { $0 == tag || $0 == "W/" + tag || $0 == "*" }) { return Response(.notModified, caching) }
    var response = Response(.ok, contentType: file.contentType, isPacked ? file.packed : file.plain)
    response.headers += caching + security
    if isPacked { response.headers.append(.init("Content-Encoding", "gzip")) }
    return response
  }
}
