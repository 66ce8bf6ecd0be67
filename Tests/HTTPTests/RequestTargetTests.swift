import HTTP
import Testing

struct RequestTargetTests {
  private func target(_ path: String, _ query: String? = nil) -> RequestTarget? {
    RequestTarget(path: path, query: query)
  }

  @Test func aPathIsItsSegmentsDecoded() {
    #expect(target("/rooms/r1/commands")?.segments == ["rooms", "r1", "commands"])
    #expect(target("/")?.segments == [])
    #expect(target("//rooms/")?.segments == ["", "rooms", ""])
    #expect(target("/rooms/%E8%8A%B1%2Fb+c")?.segments == ["rooms", "花/b+c"])
  }

  @Test func `a path's words are spelled as they came`() {
    #expect(target("/%6detrics")?.words == ["%6detrics"])
    #expect(target("/rooms/%E8%8A%B1")?.words == ["rooms", "%E8%8A%B1"])
  }

  @Test func whatIsNotEncodedAsURLsAreIsNone() {
    for path in ["/%", "/%2", "/%zz", "/%00", "/%ff", "/%C3%28"] { #expect(target(path) == nil, "\(path)") }
    #expect(target("/", "a=%zz") == nil)
    #expect(target("/", "%=1") == nil)
  }

  @Test func parametersAreDecodedAfterTheyAreToldApart() throws {
    let query = try #require(target("/", "rooms=a%26b%2Cc&x=1=2&empty=&bare&plus=a+b&rooms=d"))
    #expect(query["rooms"] == "a&b,c")
    #expect(query["x"] == "1=2")
    #expect(query["empty"] == "")
    #expect(query["bare"] == "")
    #expect(query["plus"] == "a b")
    #expect(query["absent"] == nil)
    #expect(query.list("rooms") == ["a&b,c", "d"])
    #expect(target("/", "rooms=a%2Cb,c+d,,e")?.list("rooms") == ["a,b", "c d", "e"], "a comma of an id is encoded")
    #expect(target("/", "rooms=a,%CC%81b")?.list("rooms") == ["a", "\u{301}b"], "a comma stays one before an accent")
  }
}
