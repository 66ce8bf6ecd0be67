import RoomModel

/// Numbers and words of the schema's enumerations.
extension Skipped.Stage {
  var number: Int64 {
    switch self {
    case .gift: 1
    case .wish: 2
    }
  }

  var word: Text {
    switch self {
    case .gift: Text("gift")
    case .wish: Text("wish")
    }
  }
}

extension Skipped.Reason {
  var number: Int64 {
    switch self {
    case .overflow: 1
    case .expired: 2
    }
  }

  var word: Text {
    switch self {
    case .overflow: Text("overflow")
    case .expired: Text("expired")
    }
  }
}
