import JSON
import RoomScreen

extension ByteBuffer {
  /// Appends a room's past as JSON.
  mutating func append(_ past: Past) {
    append(#"{"sinceMs":"#)
    append(past.sinceMs)
    append(#","givers":"#)
    appendList(past.givers) { buffer, giver in
      buffer.append(#"{"sender":"#)
      buffer.append(giver.sender)
      buffer.append(#","gifts":"#)
      buffer.append(giver.gifts)
      buffer.append(#","coins":"#)
      buffer.append(giver.coins)
      buffer.append("}")
    }
    append(#","crowds":{"gifts":"#)
    append(past.crowds.gifts)
    append(#","coins":"#)
    append(past.crowds.coins)
    append(#","told":"#)
    appendList(past.crowds.told) { buffer, crowd in
      buffer.append(#"{"crowdId":"#)
      buffer.appendString(crowd.crowdId.string)
      buffer.append(#","units":"#)
      buffer.append(crowd.units)
      buffer.append("}")
    }
    append(#"},"wishes":"#)
    appendList(past.wishes) { buffer, wish in
      buffer.append(#"{"atMs":"#)
      buffer.append(wish.atMs)
      buffer.append(#","wishId":"#)
      buffer.appendString(wish.wishId.string)
      buffer.append(#","sender":"#)
      buffer.append(wish.sender)
      buffer.append(#","text":"#)
      buffer.appendString(wish.text)
      buffer.append(#","style":"#)
      buffer.appendString(wish.style)
      buffer.append(#","likes":"#)
      buffer.append(wish.likes)
      buffer.append("}")
    }
    append("}")
  }

  private mutating func append(_ sender: Command.Sender) {
    append(#"{"userId":"#)
    appendString(sender.userId.string)
    append(#","name":"#)
    appendString(sender.name)
    append(#","avatarUrl":"#)
    appendString(sender.avatarUrl)
    append("}")
  }
}
