/// A file of the page, as a gateway serves it. The script `pack` makes the list of them, and the version.
package struct PageFile: Sendable {
  /// `/`, `/flyscreen.js`
  package let path: String
  /// `text/html; charset=utf-8`
  package let contentType: String
  /// The path tells the content: it never changes.
  package let isKept: Bool
  package let text: String
}
