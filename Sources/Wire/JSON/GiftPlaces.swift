import JSON
import RoomModel

/// The places of a gift event's members among values that are ``JSONFields``; 0: nowhere.
struct GiftPlaces {
  var eventId = 0
  var roomId = 0
  var sender = SenderPlaces()
  var receiverId = 0
  var receiverName = 0
  var giftId = 0
  var giftName = 0
  var count = 0
  var value = 0
  var streakId = 0
  var apart = 0
  var holdMs = 0
  var extra = 0

  /// The slots of a pattern in place of places on the tape. All members of an event that was understood are strings and
  /// integers.
  func slots(_ scalars: [JSONScalar]) -> GiftPlaces {
    func slot(_ place: Int) -> Int { scalars.slot(of: place) }
    return GiftPlaces(
      eventId: slot(eventId), roomId: slot(roomId),
      sender: SenderPlaces(userId: slot(sender.userId), name: slot(sender.name), avatarUrl: slot(sender.avatarUrl)),
      receiverId: slot(receiverId), receiverName: slot(receiverName), giftId: slot(giftId), giftName: slot(giftName),
      count: slot(count), value: slot(value), streakId: slot(streakId), apart: slot(apart), holdMs: slot(holdMs),
      extra: slot(extra))
  }
}

struct SenderPlaces {
  var userId = 0
  var name = 0
  var avatarUrl = 0
}

extension JSONValue {
  /// The places of the gift at `place`, which must be there.
  @inline(__always) func giftPlaces(eventId: Int, roomId: Int, gift place: Int) throws(NotUnderstood) -> GiftPlaces {
    var places = GiftPlaces()
    places.eventId = eventId
    places.roomId = roomId
    var sender = 0
    for member in try at(place).members(of: "gift") {
      switch JSONName(of: member) {
      case "sender": sender = member.place
      case "receiverId": places.receiverId = member.place
      case "receiverName": places.receiverName = member.place
      case "giftId": places.giftId = member.place
      case "giftName": places.giftName = member.place
      case "count": places.count = member.place
      case "value": places.value = member.place
      case "streakId": places.streakId = member.place
      case "apart": places.apart = member.place
      case "holdMs": places.holdMs = member.place
      case "extra": places.extra = member.place
      default: break
      }
    }
    places.sender = try senderPlaces(at: sender, "gift.sender")
    return places
  }

  @inline(__always) func senderPlaces(at place: Int, _ owner: StaticString) throws(NotUnderstood) -> SenderPlaces {
    var places = SenderPlaces()
    if place == 0 { return places }
    for member in try at(place).members(of: owner) {
      switch JSONName(of: member) {
      case "userId": places.userId = member.place
      case "name": places.name = member.place
      case "avatarUrl": places.avatarUrl = member.place
      default: break
      }
    }
    return places
  }
}

extension JSONFields {
  @inline(__always) func giftEvent(
    at places: GiftPlaces, key: UnsafeRawBufferPointer?, keyRule: KeyRule, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> RoomEvent {
    let event = try id(at: places.eventId, FieldPath("", "eventId"), &storage)
    let room = try id(at: places.roomId, FieldPath("", "roomId"), &storage)
    try EventRules.check(eventId: event, roomId: room, key: key, rule: keyRule)
    return RoomEvent(eventId: event, roomId: room, body: .gift(try gift(at: places, keeping: &storage)))
  }

  @inline(__always) func gift(
    at places: GiftPlaces, keeping storage: inout EventStorage
  ) throws(NotUnderstood) -> Lent<Gift> {
    var gift = Gift(
      sender: try sender(at: places.sender, "gift.sender", &storage),
      receiverId: try id(at: places.receiverId, FieldPath("gift", "receiverId"), &storage),
      receiverName: try string(at: places.receiverName, FieldPath("gift", "receiverName")),
      giftId: try id(at: places.giftId, FieldPath("gift", "giftId"), &storage),
      giftName: try string(at: places.giftName, FieldPath("gift", "giftName")),
      count: try integer(at: places.count, FieldPath("gift", "count"), absent: 0),
      value: try integer(at: places.value, FieldPath("gift", "value"), absent: 0),
      streakId: try id(at: places.streakId, FieldPath("gift", "streakId"), &storage),
      apart: try integer(at: places.apart, FieldPath("gift", "apart"), absent: 0),
      holdMs: try integer(at: places.holdMs, FieldPath("gift", "holdMs"), absent: 0),
      extra: try string(at: places.extra, FieldPath("gift", "extra")))
    try EventRules.check(&gift, keeping: &storage)
    return storage.lend(gift)
  }

  @inline(__always) func sender(
    at places: SenderPlaces, _ owner: StaticString, _ storage: inout EventStorage
  ) throws(NotUnderstood) -> Sender {
    Sender(
      userId: try id(at: places.userId, FieldPath(owner, "userId"), &storage),
      name: try string(at: places.name, FieldPath(owner, "name")),
      avatarUrl: try string(at: places.avatarUrl, FieldPath(owner, "avatarUrl")))
  }
}
