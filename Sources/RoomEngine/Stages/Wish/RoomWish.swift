import RoomModel

/// A wish and what it looks like (STAGES.md, section 4): cut and measured when it arrives, whatever changes later.
struct RoomWish: ~Copyable {
  enum Phase {
    /// Can become: flying, or forgotten (skipped).
    case queued
    /// Can become: forgotten (landed).
    case flying(Flight)
  }

  struct Flight {
    var track: Int32
    var startedAt: LogTime
    var landsAt: LogTime
  }

  /// A cut text and its `…` lie side by side: readers see one text.
  let texts: TextPack<9>
  let hash: UInt32
  /// The hash of what equal wishes have in common.
  let looksHash: UInt32
  /// Its width, in the units of `stageWidth`.
  let width: Int64
  /// Counts up with what queued or flew in the room.
  var age: Int64 = 0
  var phase = Phase.queued
  var likers = Likers()
  var pace = Pace()

  init(_ wish: Lent<Wish>, hash: UInt32, _ rules: borrowing Rules) {
    let name = WishText(wish.sender.name, limit: rules.wish.maxName)
    let text = WishText(wish.text, limit: rules.wish.maxLength)
    texts = TextPack([
      wish.wishId, wish.sender.userId, name.kept, name.ellipsis, wish.sender.avatarUrl, text.kept, text.ellipsis,
      wish.style, wish.extra,
    ])
    self.hash = hash
    looksHash = Self.looksHash(rules.seed, texts)
    width =
      rules.wish.padding + Self.width(of: texts[2, through: 3], rules) + Self.width(of: texts[5, through: 6], rules)
  }

  /// Reads what was written: cut and measured already.
  init(texts: InlineArray<9, Text>, seed: UInt64, width: Int64, likers: consuming Likers) {
    self.texts = TextPack(texts)
    hash = Self.hash(seed, wishId: texts[0])
    looksHash = Self.looksHash(seed, self.texts)
    self.width = width
    self.likers = likers
  }

  static func hash(_ seed: UInt64, wishId: Text) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(wishId)
    return hash.value
  }

  private static func looksHash(_ seed: UInt64, _ texts: borrowing TextPack<9>) -> UInt32 {
    var hash = TextHash(seed: seed)
    hash.add(texts[5, through: 6])
    hash.add(texts[7])
    return hash.value
  }

  var wishId: Text { texts[0] }

  /// Their cut texts are equal, and their styles.
  func looksLike(_ other: borrowing RoomWish) -> Bool {
    texts[5, through: 6] == other.texts[5, through: 6] && texts[7] == other.texts[7]
  }

  var likes: Int64 { Int64(likers.count) }

  /// Good as long as the banner is there.
  var shownTexts: (userId: Text, name: Text, text: Text) { (texts[1], texts[2, through: 3], texts[5, through: 6]) }

  /// There must be one.
  var flight: Flight {
    guard case .flying(let flight) = phase else { preconditionFailure("a banner that flies") }
    return flight
  }

  var byteCount: Int { texts.byteCount + likers.byteCount }

  func fly(_ rules: borrowing Rules, out: inout CommandOutlet) -> WishFly {
    let copy = out.keep(texts.whole)
    let kept = texts.views(in: copy)
    func join(_ a: Text, _ b: Text) -> Text { Text(start: a.start, count: a.count + b.count) }
    return WishFly(
      wishId: kept[0], track: Int64(flight.track),
      sender: Sender(userId: kept[1], name: join(kept[2], kept[3]), avatarUrl: kept[4]),
      text: join(kept[5], kept[6]), style: kept[7], width: width, durationMs: rules.wish.durationMs, likes: likes,
      extra: kept[8])
  }

  private static func width(of text: Text, _ rules: borrowing Rules) -> Int64 {
    var width: Int64 = 0
    var scalars = Scalars(of: text)
    while let scalar = scalars.next() {
      switch scalar {
      case 0x0300...0x036F, 0x200B...0x200F, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: break
      case 0x2600...0x27BF, 0x2E80...: width += rules.wish.em
      default: width += rules.wish.em / 2
      }
    }
    return width
  }
}
