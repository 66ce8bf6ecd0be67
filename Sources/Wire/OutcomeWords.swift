package import RoomModel

extension GrabResult.Outcome {
  var number: Int64 { Int64(rawValue) + 1 }

  package var word: Text {
    switch self {
    case .missed: Text("missed")
    case .again: Text("again")
    case .won: Text("won")
    case .empty: Text("empty")
    }
  }
}
