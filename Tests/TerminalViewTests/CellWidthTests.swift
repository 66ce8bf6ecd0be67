import Testing
import TerminalView

struct CellWidthTests {
  @Test(arguments: [
    ("rose", 4), ("玫瑰", 4), ("さくら", 6), ("민지", 4), ("e\u{301}", 1), ("🚀", 2), ("👨‍👩‍👧‍👦", 2), ("🇨🇳", 2), ("👍🏽", 2),
    ("❤️", 2), ("❤", 1), ("1️⃣", 1), ("نور", 3), ("\u{200B}", 0), ("\u{7}", 0), ("ｈｉ", 4), ("…", 1), ("สมชาย", 5),
    ("①", 1),
  ]) func aTextTakesSoManyCells(text: String, cells: Int) {
    #expect(text.cells == cells)
  }

  @Test func whatIsTooLongIsCutAtACharacter() {
    #expect("rose".cut(toCells: 4) == "rose")
    #expect("roses".cut(toCells: 4) == "ros…")
    #expect("玫瑰花".cut(toCells: 5) == "玫瑰…")
    #expect("玫瑰花".cut(toCells: 4) == "玫…")
    #expect("玫瑰花".cut(toCells: 1) == "…")
    #expect("玫瑰花".cut(toCells: 0) == "")
  }

  @Test func paddingCountsCells() {
    #expect("玫瑰".padded(toCells: 6) == "玫瑰  ")
    #expect("玫瑰".padded(toCells: 3) == "玫瑰")
  }
}
