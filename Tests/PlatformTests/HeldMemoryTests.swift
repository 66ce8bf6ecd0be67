import Platform
import Testing

struct HeldMemoryTests {
  @Test func itIsToldOnceEachTimeThatMostIsGone() {
    var held = HeldMemory(least: 100)
    let told = [50, 1000, 501, 500, 499, 498, 249, 248, 900, 449].map { held.hasShrunk(to: $0) }
    #expect(told == [false, false, false, false, true, false, false, true, false, true])
  }

  @Test func aFewAreNotWorthIt() {
    var held = HeldMemory(least: 100)
    #expect([100, 1, 99, 0].map { held.hasShrunk(to: $0) } == [false, false, false, true])
  }
}
