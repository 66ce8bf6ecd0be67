import Testing
import Wire

struct Murmur2Tests {
  /// The cases of Kafka's own tests of its Java client (`UtilsTest.testMurmur2`), as `toPositive(murmur2(key))`.
  @Test(
    arguments: [
      ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
      ("a-little-bit-longer-string", -1_486_304_829),
      ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971), ("abc", 479_470_107),
    ] as [(String, Int32)])
  func aKeyHasThePartitionThatJavaClientsGiveIt(key: String, hash: Int32) {
    for partitions in [Int32(1), 3, 8, 1000, .max] {
      let bytes = Array(key.utf8)
      let partition = bytes.withUnsafeBytes { Murmur2.partition(key: $0, partitions: partitions) }
      #expect(partition == (hash & 0x7fff_ffff) % partitions)
    }
  }
}
