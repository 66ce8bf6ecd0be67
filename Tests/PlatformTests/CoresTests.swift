import Platform
import Testing

struct CoresTests {
  @Test(
    arguments: [
      ("max 100000\n", nil), ("100000 100000\n", 1), ("150000 100000\n", 2), ("400000 100000", 4), ("1000 100000", 1),
      ("", nil), ("100000", nil), ("0 100000", nil), ("100000 0", nil), ("-1 100000", nil), ("many 100000", nil),
      ("9223372036854775807 1", Int.max),
    ] as [(String, Int?)])
  func aQuotaIsSoManyCores(words: String, cores: Int?) {
    #expect(Cores.quota(words) == cores)
  }

  @Test func anAffinityIsAMask() {
    #expect(Cores.affinity("Name:\tx\nCpus_allowed:\t7,fffffff0\nCpus_allowed_list:\t4-34\n") == 31)
    #expect(Cores.affinity("Name:\tx\n") == nil)
  }

  @Test func thereIsOneAtLeast() { #expect(Cores.available >= 1) }
}
