import RoomModel
import Settings

extension Arguments {
  static var times: ClosedRange<Int64> { LogTime.possible }
}
