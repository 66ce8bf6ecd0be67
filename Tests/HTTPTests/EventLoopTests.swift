import HTTP
import Testing

struct EventLoopTests {
  /// An alarm keeps the last time that it was set to. It rings once, and again only when it is set again.
  @Test(.timeLimit(.minutes(1))) func anAlarmRingsOnceEachTimeThatItIsSet() {
    let loop = EventLoop()
    var rung = 0
    var alarm: EventLoop.Alarm?
    alarm = loop.alarm {
      rung += 1
      if rung < 3 { alarm?.ring(afterMs: 1) }
    }
    alarm?.ring(afterMs: 60_000)
    alarm?.ring(afterMs: 1)
    // A few turns later it would have rung once more, if it did so by itself.
    var turns = 0
    loop.every(ms: 1) {
      if rung >= 3 { turns += 1 }
      if turns == 5 { loop.end() }
    }
    loop.run()
    #expect(rung == 3)
  }
}
