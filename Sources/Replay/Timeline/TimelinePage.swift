import RoomScreen
import TimelineSite

/// The page around the data. Its HTML, CSS and JavaScript are files of `Sources/TimelineSite`.
enum TimelinePage {
  static func head(room: ID) -> [UInt8] {
    var page = bytes(timeline_top())
    page.append(contentsOf: #"<script type="application/json" id="data">["#.utf8)
    page.append(contentsOf: "\n".utf8)
    page.object("room") { $0.member("name", room.string) }
    return page
  }

  static var foot: [UInt8] {
    Array("</script>\n<script>\n".utf8) + bytes(timeline_script()) + Array("</script>\n".utf8)
  }

  private static func bytes(_ part: TimelinePart) -> [UInt8] {
    Array(UnsafeBufferPointer(start: part.bytes, count: part.length))
  }
}
