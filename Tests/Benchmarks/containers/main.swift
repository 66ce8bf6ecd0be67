import Glibc
import RoomModel

/// What the compiler must not leave out.
nonisolated(unsafe) var sink = 0

func cpuNanoseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// The least of seven rounds, of which each takes some 20 ms or more.
func measure(_ operations: Int, _ round: () -> Void) -> Double {
  (0..<7).map { _ in
    let begin = cpuNanoseconds()
    var times = 0
    repeat {
      round()
      times += 1
    } while cpuNanoseconds() - begin < 20e6
    return (cpuNanoseconds() - begin) / Double(times * operations)
  }.min()!
}

func compare(_ what: String, _ operations: Int, own: () -> Void, standard: () -> Void) {
  let (a, b) = (measure(operations, own), measure(operations, standard))
  func figure(_ ns: Double) -> String {
    let tenths = Int((ns * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
  print("| \(what) | \(figure(a)) | \(figure(b)) |")
}

/// Ids of 20 bytes in one buffer, as they come in records.
struct Ids {
  let bytes: UnsafeMutableRawPointer
  let count: Int
  init(_ count: Int) {
    self.count = count
    bytes = .allocate(byteCount: 20 * count, alignment: 8)
    for i in 0..<count {
      let digits = String(i)
      let id = "user-" + String(repeating: "0", count: 15 - digits.count) + digits
      (bytes + 20 * i).copyMemory(from: Array(id.utf8), byteCount: 20)
    }
  }
  func text(_ i: Int) -> Text { Text(start: bytes + 20 * i, count: 20) }
  func string(_ i: Int) -> String { String(decoding: text(i).bytes, as: UTF8.self) }
}

/// Steps through 0..<1024 in an order that no cache foresees.
@inline(__always) func step(_ i: Int) -> Int { (i &* 437 &+ 1) & 1023 }

final class Own {
  @exclusivity(unchecked) var row = Block<Int64>(repeating: 1, count: 1024)
  @exclusivity(unchecked) var slab = Slab<Item>()
  @exclusivity(unchecked) var free = SlotSet()
  @exclusivity(unchecked) var heap = IndexedHeap<Int64>()
  @exclusivity(unchecked) var wheel = DeadlineWheel()
  @exclusivity(unchecked) var list = RefilledList<Int64>()
  @exclusivity(unchecked) var arena = TextArena()
  @exclusivity(unchecked) var texts = ExpiringTexts()
  @exclusivity(unchecked) var lending = LendingPlace()
}

final class Standard {
  @exclusivity(unchecked) var row = [Int64](repeating: 1, count: 1024)
  @exclusivity(unchecked) var items: [Int32: Item] = [:]
  @exclusivity(unchecked) var free = Set<Int32>()
  @exclusivity(unchecked) var sorted: [(key: Int64, item: Int32)] = []
  @exclusivity(unchecked) var list: [Int64] = []
  @exclusivity(unchecked) var strings: [String] = []
  @exclusivity(unchecked) var ends: [String: Int64] = [:]
}

/// As large as a view on a lane, owning nothing.
struct Item: BitwiseCopyable {
  var words: InlineArray<24, Int64> = .init(repeating: 1)
}

@inline(never) func first(_ item: Lent<Item>) -> Int { second(item) }
@inline(never) func second(_ item: Lent<Item>) -> Int { Int(item.words[7]) }
@inline(never) func firstCopied(_ item: Item) -> Int {
  var item = item
  item.words[3] &+= 1
  return secondCopied(item)
}
@inline(never) func secondCopied(_ item: Item) -> Int { Int(item.words[7]) }

let own = Own()
let standard = Standard()
let ids = Ids(1024)

print("| operation | own | standard |\n| --- | ---: | ---: |")

compare("`Block` / `Array`: change an element of a class's row", 1024) {
  var i = 0
  for _ in 0..<1024 {
    own.row[i] &+= 1
    i = step(i)
  }
} standard: {
  var i = 0
  for _ in 0..<1024 {
    standard.row[i] &+= 1
    i = step(i)
  }
}

for slot in 0..<64 {
  _ = own.slab.insert(Item())
  standard.items[Int32(slot)] = Item()
}
nonisolated(unsafe) var next: Int32 = 64
compare("`Slab` / `Dictionary` by number: put in an item of 192 bytes, read it, remove the one before", 1024) {
  for _ in 0..<1024 {
    let slot = own.slab.insert(Item())
    sink &+= Int(own.slab[slot].words[5])
    own.slab.remove(slot)
  }
} standard: {
  for _ in 0..<1024 {
    standard.items[next] = Item()
    sink &+= Int(standard.items[next]!.words[5])
    standard.items[next] = nil
    next &+= 1
  }
}

for i in 0..<1024 {
  own.texts.remember(ids.text(i), until: 1000, seed: 7)
  standard.ends[ids.string(i)] = 1000
}
compare("`ExpiringTexts` / `Dictionary` by `String`: find an id of 20 bytes", 1024) {
  for i in 0..<1024 { sink &+= Int(own.texts.end(of: ids.text(i), seed: 7)!) }
} standard: {
  for i in 0..<1024 { sink &+= Int(standard.ends[ids.string(i)]!) }
}

compare("`TextHash` / `Hasher`: hash an id of 20 bytes", 1024) {
  for i in 0..<1024 {
    var hash = TextHash(seed: 7)
    hash.add(ids.text(i))
    sink &+= Int(hash.value)
  }
} standard: {
  for i in 0..<1024 {
    var hash = Hasher()
    hash.combine(bytes: ids.text(i).bytes)
    sink &+= hash.finalize()
  }
}

compare("`SlotSet` / `Set`: take the lowest of 8 numbers, put it back", 256) {
  for slot in 0..<8 as Range<Int32> { own.free.insert(slot) }
  for _ in 0..<256 {
    let slot = own.free.removeLowest()
    own.free.insert(slot)
  }
  while !own.free.isEmpty { _ = own.free.removeLowest() }
} standard: {
  for slot in 0..<8 as Range<Int32> { standard.free.insert(slot) }
  for _ in 0..<256 {
    let slot = standard.free.min()!
    standard.free.remove(slot)
    standard.free.insert(slot)
  }
  standard.free.removeAll()
}

@MainActor func setSorted(_ item: Int32, _ key: Int64) {
  if let old = standard.sorted.firstIndex(where: { $0.item == item }) { standard.sorted.remove(at: old) }
  var (low, high) = (0, standard.sorted.count)
  while low < high {
    let middle = (low + high) / 2
    if standard.sorted[middle].key < key { low = middle + 1 } else { high = middle }
  }
  standard.sorted.insert((key, item), at: low)
}
var now: Int64 = 0
compare("`IndexedHeap` / sorted `Array`: one of 256 deadlines moves", 1024) {
  var i = 0
  for _ in 0..<1024 {
    own.heap.set(Int32(i & 255), to: now + Int64(i))
    now += 1
    i = step(i)
  }
} standard: {
  var i = 0
  for _ in 0..<1024 {
    setSorted(Int32(i & 255), now + Int64(i))
    now += 1
    i = step(i)
  }
}

own.heap.removeAll()
for item in 0..<1024 as Range<Int32> {
  own.heap.set(item, to: now + Int64(step(Int(item))))
  own.wheel.set(item, to: now + Int64(step(Int(item))), now: now)
}
var (wheelNow, heapNow) = (now, now)
compare("`DeadlineWheel` / `IndexedHeap`: the first of 1,024 deadlines is met, and set anew within a second", 1024) {
  var i = 0
  for _ in 0..<1024 {
    let due = own.wheel.first(through: .max - 1)!
    wheelNow = due.deadline
    own.wheel.set(due.item, to: wheelNow + 1 + Int64(i % 1000), now: wheelNow)
    i = step(i)
  }
} standard: {
  var i = 0
  for _ in 0..<1024 {
    heapNow = own.heap.least.key
    own.heap.set(own.heap.least.item, to: heapNow + 1 + Int64(i % 1000))
    i = step(i)
  }
}

compare("`RefilledList` / `Array`: fill with 3 numbers, read, empty", 1024) {
  for i in 0..<1024 as Range<Int64> {
    for j in 0..<3 as Range<Int64> { own.list.append(i + j) }
    for number in own.list.elements { sink &+= Int(number) }
    own.list.removeAll()
  }
} standard: {
  for i in 0..<1024 as Range<Int64> {
    for j in 0..<3 as Range<Int64> { standard.list.append(i + j) }
    for number in standard.list { sink &+= Int(number) }
    standard.list.removeAll(keepingCapacity: true)
  }
}

compare("`Text` / `String`: make of 20 bytes, compare with another", 1024) {
  var last = ids.text(0)
  for i in 0..<1024 {
    let text = ids.text(i)
    if text == last { sink &+= 1 }
    last = text
  }
} standard: {
  var last = ids.string(0)
  for i in 0..<1024 {
    let text = ids.string(i)
    if text == last { sink &+= 1 }
    last = text
  }
}

compare("`TextArena` / array of `String`: keep 4 ids of 20 bytes, forget them", 256) {
  for i in 0..<256 {
    for j in 0..<4 { sink &+= own.arena.keep(ids.text(i + j)).count }
    own.arena.removeAll()
  }
} standard: {
  for i in 0..<256 {
    for j in 0..<4 { standard.strings.append(ids.string(i + j)) }
    sink &+= standard.strings.count
    standard.strings.removeAll(keepingCapacity: true)
  }
}

compare("`TextPack` / 4 `String`s: keep 4 texts of 20 bytes together, drop them", 256) {
  for i in 0..<256 {
    let pack = TextPack([ids.text(i), ids.text(i + 1), ids.text(i + 2), ids.text(i + 3)])
    sink &+= pack[3].count
  }
} standard: {
  for i in 0..<256 {
    let pack = (ids.string(i), ids.string(i + 1), ids.string(i + 2), ids.string(i + 3))
    sink &+= pack.3.utf8.count &+ pack.0.utf8.count
  }
}

compare("`Lent` / a value: pass 192 bytes through two functions", 1024) {
  for _ in 0..<1024 {
    let lent = own.lending.lend(Item())
    sink &+= first(lent)
  }
} standard: {
  for _ in 0..<1024 { sink &+= firstCopied(Item()) }
}

let target = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
compare("`copyShort` / `copyMemory`: copy 5 to 20 bytes", 1024) {
  var i = 0
  for _ in 0..<1024 {
    target.copyShort(from: ids.bytes + i, count: 5 + i & 15)
    i = step(i)
  }
} standard: {
  var i = 0
  for _ in 0..<1024 {
    target.copyMemory(from: ids.bytes + i, byteCount: 5 + i & 15)
    i = step(i)
  }
}
