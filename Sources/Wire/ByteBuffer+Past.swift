import RoomScreen

extension ByteBuffer {
  /// Appends a room's past as JSON.
  mutating func append(_ past: Past) {
    append(#"{"sinceMs":"#)
    append(past.sinceMs)
    append(#","givers":"#)
    append(list: past.givers) { buffer, giver in
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
    append(list: past.crowds.told) { buffer, crowd in
      buffer.append(#"{"crowdId":"#)
      buffer.append(quoted: crowd.crowdId.string)
      buffer.append(#","units":"#)
      buffer.append(crowd.units)
      buffer.append("}")
    }
    append(#"},"wishes":"#)
    append(list: past.wishes) { buffer, wish in
      buffer.append(#"{"atMs":"#)
      buffer.append(wish.atMs)
      buffer.append(#","wishId":"#)
      buffer.append(quoted: wish.wishId.string)
      buffer.append(#","sender":"#)
      buffer.append(wish.sender)
      buffer.append(#","text":"#)
      buffer.append(quoted: wish.text)
      buffer.append(#","style":"#)
      buffer.append(quoted: wish.style)
      buffer.append(#","likes":"#)
      buffer.append(wish.likes)
      buffer.append("}")
    }
    append("}")
  }

  private mutating func append(_ sender: Command.Sender) {
    append(#"{"userId":"#)
    append(quoted: sender.userId.string)
    append(#","name":"#)
    append(quoted: sender.name)
    append(#","avatarUrl":"#)
    append(quoted: sender.avatarUrl)
    append("}")
  }

  private mutating func append(quoted string: String) {
    append(#"""#)
    appendEscaped(string: string)
    append(#"""#)
  }

  private mutating func append<Item>(list: [Item], _ write: (inout ByteBuffer, Item) -> Void) {
    append("[")
    for (number, item) in list.enumerated() {
      if number > 0 { append(",") }
      write(&self, item)
    }
    append("]")
  }
}
