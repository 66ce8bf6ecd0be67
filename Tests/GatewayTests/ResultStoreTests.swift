import Gateway
import RoomScreen
import Testing

struct ResultStoreTests {
  private let store = ResultStore(lookbackMs: 60_000, bytes: 100_000)
  private let nowMs: Int64 = 1_700_000_000_000

  @discardableResult
  private func add(_ user: ID, room: ID = "r", atMs: Int64 = 0, isKept: Bool = true, bytes: Int = 100) -> StreamResult {
    let json = [UInt8](repeating: 1, count: bytes)
    return store.add(
      StreamResult(user: user, room: room, timestampMs: nowMs + atMs, json: json), isKept: isKept, nowMs: nowMs + atMs)
  }

  private func known(_ user: ID, since: Int64? = nil, atMs: Int64 = 0, rooms: [ID] = ["r"]) -> [Int] {
    store.results(of: user, in: rooms, sinceMs: since.map { nowMs + $0 }, nowMs: nowMs + atMs).results.map(\.number)
  }

  @Test func aUsersResultsOfARoomAreKept() {
    add("7")
    add("8")
    add("7", room: "s")
    add("7")
    #expect(known("7") == [1, 4] && known("8") == [2] && known("9") == [])
    #expect(known("7", rooms: ["r", "s"]) == [1, 3, 4])
  }

  @Test func whatCameTooLateIsNot() {
    #expect(add("7", isKept: false).number == 1)
    #expect(known("7") == [])
  }

  @Test func aHundredOfAUser() {
    for _ in 0..<250 { add("7") }
    add("8")
    #expect(known("7") == Array(151...250) && known("8") == [251])
  }

  /// Those that it has no more are counted out without taking others with them.
  @Test func aHundredOfAUserStayWhenOlderOnesAreCountedOut() {
    for number in 0..<120 { add("7", atMs: Int64(number) * 100) }
    add("8", atMs: 61_000)
    #expect(known("7", atMs: 61_000) == Array(21...120))
  }

  @Test func thoseOfTheLookback() {
    add("7")
    add("7", atMs: 40_000)
    #expect(known("7", atMs: 60_000) == [1, 2])
    #expect(known("7", atMs: 60_001) == [2])
    add("8", atMs: 90_000)
    #expect(store.size.count == 2, "old results take no memory")
    #expect(add("7", atMs: -100_000).number == 4)
    #expect(known("7", atMs: 90_000) == [2])
  }

  @Test func inAllNoMoreThanItsBytes() {
    for number in 0..<3000 { add("u\(number)", bytes: 200) }
    #expect(store.size.bytes <= 100_000 && store.size.count > 150)
    #expect(known("u2999") == [3000] && known("u0") == [])
  }

  /// Partitions are read one ahead of the other.
  @Test func whoComesBackIsToldWhatMayBeNew() {
    for second in 0..<30 { add("7", atMs: Int64(second) * 1000) }
    #expect(known("7", since: 20_000, atMs: 30_000) == Array(11...30))
  }
}
