import RoomModel

/// The people in the rooms, the gifts they send and the words they say.
struct Cast: ~Copyable {
  struct GiftKind: Sendable {
    var id: Text
    var name: Text
    var value: Int64
    var popularity: Double
  }

  /// Items that fill the screen.
  struct SpotKind: Sendable {
    var kind: Text
    var text: Text
    var value: Int64
    var durationMs: Milliseconds
  }

  /// Messages that stay.
  struct PinKind: Sendable {
    var text: Text
    var value: Int64
    var durationMs: Milliseconds
  }

  let viewers: [Sender]
  let rooms: [Text]
  /// The prizes of a rain whose packets have a list of their own.
  let prizes: UnsafeBufferPointer<Int64>
  /// The sides of a battle.
  let sides: UnsafeBufferPointer<Text>
  private let texts: TextArena

  init(rooms roomCount: Int) {
    var texts = TextArena()
    rooms = (1...roomCount).map { texts.keep("room-\($0)") }
    viewers = (0..<max(60, 40 * roomCount)).map { number in
      let name = Self.names[number % Self.names.count]
      let round = number / Self.names.count
      return Sender(
        userId: number % 7 == 3 ? texts.keep("u-\(number)") : texts.keep("\(10_000 + number * 37)"),
        name: texts.keep(round == 0 ? name : "\(name)\(round + 1)"),
        avatarUrl: number % 5 == 0 ? .empty : texts.keep("https://img.example/a/\(number).png"))
    }
    self.texts = texts
    let prizes = UnsafeMutableBufferPointer<Int64>.allocate(capacity: RainPlan.packets)
    for packet in prizes.indices {
      prizes.initializeElement(at: packet, to: packet % 9 == 4 ? 88 : packet % 4 == 1 ? Int64(packet) : 0)
    }
    self.prizes = UnsafeBufferPointer(prizes)
    let sides = UnsafeMutableBufferPointer<Text>.allocate(capacity: 2)
    _ = sides.initialize(from: [Text("host"), Text("guest-1")])
    self.sides = UnsafeBufferPointer(sides)
  }

  deinit {
    prizes.deallocate()
    sides.deallocate()
  }

  static let giftKinds = [
    GiftKind(id: Text("rose"), name: Text("玫瑰"), value: 1, popularity: 30),
    GiftKind(id: Text("heart"), name: Text("爱心"), value: 5, popularity: 18),
    GiftKind(id: Text("lollipop"), name: Text("棒棒糖"), value: 9, popularity: 14),
    GiftKind(id: Text("beer"), name: Text("啤酒"), value: 10, popularity: 10),
    GiftKind(id: Text("coffee"), name: Text("Coffee"), value: 20, popularity: 8),
    GiftKind(id: Text("bouquet"), name: Text("花束"), value: 66, popularity: 6),
    GiftKind(id: Text("cake"), name: Text("生日蛋糕 🎂"), value: 99, popularity: 5),
    GiftKind(id: Text("fireworks"), name: Text("烟花"), value: 199, popularity: 4),
    GiftKind(id: Text("crown"), name: Text("Crown"), value: 520, popularity: 2),
    GiftKind(id: Text("car"), name: Text("跑车"), value: 1314, popularity: 1.5),
    GiftKind(id: Text("rocket"), name: Text("火箭 🚀"), value: 5000, popularity: 0.8),
    GiftKind(id: Text("castle"), name: Text("梦幻城堡"), value: 9999, popularity: 0.3),
  ]

  static let spots = [
    SpotKind(kind: Text("entrance"), text: Text("来了"), value: 100, durationMs: 2500),
    SpotKind(kind: Text("entrance"), text: Text("is here"), value: 2000, durationMs: 0),
    SpotKind(kind: Text("effect"), text: .empty, value: 8888, durationMs: 5000),
  ]

  static let pins = [
    PinKind(text: Text("辛苦啦，早点休息！"), value: 50, durationMs: 0),
    PinKind(text: Text("Greetings to everybody here\nfrom Lisbon 🇵🇹"), value: 500, durationMs: 90_000),
    PinKind(text: Text("生日快乐，永远支持你！"), value: 3000, durationMs: 180_000),
  ]

  static let goals = [Text("十朵玫瑰"), Text("Encore at 5000"), Text("PK")]

  /// The receiver of a gift: mostly nobody in particular.
  static let receivers = [Text.empty, .empty, .empty, .empty, .empty, Text("host"), Text("guest-1"), Text("guest-2")]

  static func receiverName(_ receiver: Text) -> Text {
    if receiver.isEmpty { return .empty }
    return receiver == Text("host") ? Text("主播") : Text("嘉宾")
  }

  static let styles = [Text.empty, .empty, Text("gold"), Text("neon")]

  static let wishes = [
    Text("祝主播生日快乐！"), Text("生日快乐🎂🎉"), Text("新年快乐，万事如意"), Text("加油加油加油！"), Text("唱得太好听了😭"),
    Text("Happy birthday!"), Text("greetings from Lisbon 🇵🇹"), Text("first time here, love it"),
    Text("can you play that song again? the one from yesterday, with the long intro and the quiet ending please"),
    Text("今天也要开心哦"), Text("从第一天就开始看你直播了，一路走来真的很不容易，希望你越来越好，身体健康，天天开心，早日实现自己的梦想！"),
    Text("❤️❤️❤️"), Text("🔥🔥🔥🔥🔥"), Text("お誕生日おめでとう！"), Text("最高です"), Text("생일 축하해요"), Text("사랑해요 💜"),
    Text("عيد ميلاد سعيد"), Text("יום הולדת שמח"), Text("С днём рождения!"), Text("chúc mừng sinh nhật"),
    Text("สุขสันต์วันเกิด"), Text("joyeux anniversaire 🥂"), Text("\\o/ woohoo \"live\" \\o/"), Text("👨‍👩‍👧‍👦 all watching"),
    Text("666666"),
    Text("晚安"), Text("gg"),
  ]

  private static let names = [
    "阿花", "小明", "夜空中最亮的星", "一只小猫咪", "大哥来了", "Ann", "Bob", "Mia ✨", "星星⭐", "🍓草莓", "西瓜🍉", "DJ_Max",
    "o_O", "风", "月半弯", "不吃香菜", "Élodie", "José", "Zoë", "さくら", "たろう", "민지", "하늘", "نور", "سارة", "נועה",
    "Дмитрий", "Оля", "Nguyễn", "สมชาย", "👩‍👩‍👧‍👦家", "🇨🇳阿强", "♥小可爱♥", "王者荣耀第一打野不接受反驳的那个男人", "the-one-who-never-sleeps",
    "x", "Lucky7", "木木", "七月的雨", "老王", "Kiki🐱", "追光者", "海盐芝士", "Mr. Fox 🦊", "宝", "柠檬不酸", "快乐小狗", "Tom & Jerry",
    "<b>bold</b>", "路人甲",
  ]
}
