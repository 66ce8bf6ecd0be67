package flyscreen.client;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONArray;
import org.json.JSONObject;

/** {@code Told GATEWAY ROOM…}: follows rooms, and prints each event as a line of JSON: {@code [name, data]}. */
final class Told {
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    ExecutorService executor = Executors.newSingleThreadExecutor();
    Flyscreen client = new Flyscreen.Builder(arguments[0], executor).build(new Flyscreen.Listener() {
      @Override
      public void onSnapshot(LiveRoom room) {
        out.println(new JSONArray().put("late snapshot").put(room.screen().snapshot()));
      }

      @Override
      public void onCommand(LiveRoom room, JSONObject command) {
        out.println(new JSONArray().put("command").put(command));
      }
    });
    executor.execute(() -> client.follow(Arrays.asList(arguments).subList(1, arguments.length)));
  }
}
