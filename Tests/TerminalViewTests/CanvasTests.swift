import Testing
import TerminalView

struct CanvasTests {
  @Test func textStandsWhereItWasPutAndOnlyThere() {
    var canvas = Canvas(width: 10, height: 2)
    let end = canvas.put("玫瑰 x", row: 0, column: 1)
    #expect(end == 7)
    canvas.put("out of sight", row: 5, column: 0)
    #expect(canvas.text(row: 0) == " 玫瑰 x")
    #expect(canvas.text(row: 1) == "")
  }

  @Test func aBannerComesInAndGoesOutCharacterByCharacter() {
    func flying(at column: Int) -> String {
      var canvas = Canvas(width: 8, height: 1)
      canvas.put("祝a福b", row: 0, column: column, within: 2..<6)
      return canvas.text(row: 0)
    }
    #expect(flying(at: 6) == "")
    #expect(flying(at: 5) == "", "half of a wide character is none")
    #expect(flying(at: 4) == "    祝")
    #expect(flying(at: 2) == "  祝a", "the next is wide and would go beyond")
    #expect(flying(at: 1) == "   a福")
    #expect(flying(at: -2) == "   b")
    #expect(flying(at: -4) == "")
  }

  @Test func whatIsDrawnOverHalfOfAWideCharacterTakesAllOfIt() {
    var canvas = Canvas(width: 6, height: 1)
    canvas.put("玫瑰", row: 0, column: 0)
    canvas.put("x", row: 0, column: 1)
    #expect(canvas.text(row: 0) == " x瑰")
    canvas.put("y", row: 0, column: 2)
    #expect(canvas.text(row: 0) == " xy")
  }

  @Test func controlCharactersNeverReachTheTerminal() {
    var canvas = Canvas(width: 9, height: 1)
    canvas.put("a\u{1B}[2J\u{7}\r\nb", row: 0, column: 0)
    #expect(canvas.text(row: 0) == "a[2Jb")
  }

  @Test func stylesAreSwitchedOnlyWhereTheyChange() {
    var canvas = Canvas(width: 5, height: 1)
    canvas.put("ab", row: 0, column: 0, style: Style(color: .red, isBold: true))
    canvas.put("c", row: 0, column: 2)
    #expect(canvas.sequence(row: 0, colors: true) == "\u{1B}[1;1H\u{1B}[0;1;31mab\u{1B}[0mc  ")
    #expect(canvas.sequence(row: 0, colors: false) == "\u{1B}[1;1H\u{1B}[0;1mab\u{1B}[0mc  ")
  }

  @Test func afterACharacterThatTerminalsMeasureDifferentlyTheNextIsPlaced() {
    var canvas = Canvas(width: 6, height: 1)
    canvas.put("花❤️x", row: 0, column: 0)
    #expect(canvas.sequence(row: 0, colors: true) == "\u{1B}[1;1H花❤️\u{1B}[5Gx ")
  }

  @Test func onlyRowsThatChangedAreSent() {
    var writer = CanvasWriter(colors: false)
    var canvas = Canvas(width: 3, height: 2)
    #expect(writer.sequence(for: canvas) == "\u{1B}[2J\u{1B}[1;1H   \u{1B}[2;1H   ")
    canvas.put("x", row: 1, column: 0)
    #expect(writer.sequence(for: canvas) == "\u{1B}[2;1Hx  ")
    #expect(writer.sequence(for: canvas) == "")
    #expect(writer.sequence(for: Canvas(width: 3, height: 1)) == "\u{1B}[2J\u{1B}[1;1H   ")
  }
}
