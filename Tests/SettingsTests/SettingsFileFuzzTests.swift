import Settings
import Testing

struct SettingsFileFuzzTests {
  /// Pieces that make something YAML-like far more often than bytes alone do.
  private static let pieces: [[UInt8]] =
    ["{", "}", "[", "]", ":", ": ", ",", "\n", "  ", "- ", "gift", "gift.lanes", "wish", "tracks", "3", "'", "\"", "#"]
    .map { Array($0.utf8) }
    + [
      "&a ", "*a", "!!int ", "---\n", "...\n", "|\n", ">\n", "? ", "<<: ", "\t", "\\u00", "null", "~",
      "topics.key: any",
    ]
    .map { Array($0.utf8) } + [[0], [0xFF], [0xC3, 0xA9], [0xEF, 0xBB, 0xBF]]

  @Test func whateverAFileHoldsIsTakenOrRefused() {
    var state: UInt64 = 42
    func draw(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(below))
    }
    var taken = 0
    for _ in 0..<5000 {
      let bytes = (0..<draw(12)).flatMap { _ in Self.pieces[draw(Self.pieces.count)] }
      do {
        let settings = try withFile(String(decoding: bytes, as: UTF8.self)) { try LogSettings(file: $0) }
        #expect(try withFile(settings.changedJSON) { try LogSettings(file: $0) } == settings)
        taken += 1
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(taken > 100)
  }
}
