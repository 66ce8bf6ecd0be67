package flyscreen.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.json.JSONArray;
import org.json.JSONObject;

/** A viewer whose stream has told the empty room r1 at the log time 1000. */
final class Followed {
  final VirtualLoop loop = new VirtualLoop();
  final ScriptedGateway gateway = new ScriptedGateway(loop);
  final List<String> heard = new ArrayList<>();
  final Flyscreen client;
  final ScriptedGateway.Asked stream;

  Followed() throws Exception {
    client = Cases.client(gateway, loop, new Random(1), new Flyscreen.Listener() {
      @Override
      public void onCommand(LiveRoom room, JSONObject command) {
        heard.add(command.optString("id"));
      }

      @Override
      public void onStale(LiveRoom room) {
        heard.add("stale");
      }

      @Override
      public void onResult(JSONObject result) {
        heard.add(result.optString("id"));
      }
    });
    client.follow(Collections.singletonList("r1"));
    loop.settle();
    stream = gateway.last();
    JSONObject snapshot = new JSONObject().put("roomId", "r1").put("nowMs", 1000).put("commands", new JSONArray());
    stream.open().say("snapshot", snapshot, "1");
    loop.settle();
  }
}
