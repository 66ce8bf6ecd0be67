import Testing

/// Each calculation in DECISIONS comes out as it says: `2 × 3 = 6`.
struct DecisionArithmeticTests {
  @Test func calculationsComeOut() throws {
    let page = try #require(SourceTree.files.first { $0.path == ".github/DECISIONS.md" }).text
    let calculations = page.matches(of: #/`([0-9., ×÷+−]+) = ([0-9.,]+)`/#)
    #expect(calculations.count >= 10)
    for found in calculations {
      #expect(try value(of: found.output.1) == number(found.output.2), "\(found.output.0)")
    }
  }

  /// From the left to the right, since there is no sum beside a product.
  private func value(of text: Substring) throws -> Double {
    let words = text.split(separator: " ")
    var value = try number(words[0])
    for place in stride(from: 1, to: words.count - 1, by: 2) {
      let next = try number(words[place + 1])
      switch words[place] {
      case "×": value *= next
      case "÷": value /= next
      default: Issue.record("\(text) has \(words[place])")
      }
    }
    return (value * 1e6).rounded() / 1e6
  }

  private func number(_ text: Substring) throws -> Double {
    let digits = String(text.filter { $0 != "," })
    return try #require(Double(digits), "\(text) is no number")
  }
}
