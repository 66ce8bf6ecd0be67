import RoomEngine
import RoomModel
import Simulation
import Testing

struct StoryTests {
  /// The story's commands, each at its time.
  private func commands() -> [(atMs: LogTime, kind: RoomCommand.Body.Kind)] {
    let story = Story()
    var log = PartitionLog(settings: EngineSettings(), hashSeed: 1, keepsChanges: false, log: "in/0")
    var batch = CommandBatch()
    for (offset, next) in story.events.enumerated() {
      _ = log.apply(offset: Int64(offset), timestampMs: next.atMs + 1, event: next.event, into: &batch)
    }
    return batch.commands.map { ($0.atMs, $0.body.kind) }
  }

  @Test func eachSceneShowsWhatItTells() throws {
    let story = Story()
    let shown: [[RoomCommand.Body.Kind]] = [
      [.giftShow, .giftBump], [.crowdShow], [.pinShow], [.goalShow, .goalCount], [.goalShow, .goalCount, .spotShow],
      [.rainCountdown, .rainDrop], [.wishFly],
    ]
    #expect(story.scenes.count == shown.count)
    let ends = story.scenes.dropFirst().map(\.atMs) + [Story.endMs]
    for (scene, (kinds, endMs)) in zip(story.scenes, zip(shown, ends)) {
      let there = commands().filter { (scene.atMs..<endMs).contains($0.atMs) }.map(\.kind)
      for kind in kinds { #expect(there.contains(kind), "\(scene.caption) \(kind): \(there)") }
      #expect(scene.caption.count < 80, "a row of a terminal")
      let explained = story.events.filter { $0.event.eventId.description == scene.eventId }
      #expect(explained.count == 1 && explained.allSatisfy { (scene.atMs..<endMs).contains($0.atMs) })
    }
  }

  @Test func eventsComeInTheOrderOfTheirTimeAndEndWithIt() {
    let times = Story().events.map(\.atMs)
    #expect(times == times.sorted() && times.first! < 0 && times[1] == 0 && times.last! < Story.endMs)
  }
}
