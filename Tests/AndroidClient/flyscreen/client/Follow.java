package flyscreen.client;

import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONObject;

/**
 * {@code Follow GATEWAY ROOM…}: follows rooms as an app would, and prints a line each time that a screen changes: the room,
 * and the combos that are drawn. A line {@code ROOM TEXT} on stdin makes a wish, whose end is printed. At the end of stdin
 * the client is closed, and the threads that are left of it are printed.
 */
final class Follow {
  public static void main(String[] arguments) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor(act -> new Thread(act, "app"));
    Flyscreen client = new Flyscreen.Builder(arguments[0], executor).user("7").sender("阿花", "").build(new Flyscreen.Listener() {
      @Override
      public void onSnapshot(LiveRoom room) {
        print(room);
      }

      @Override
      public void onCommand(LiveRoom room, JSONObject command) {
        print(room);
      }
    });
    executor.execute(() -> client.follow(Arrays.asList(arguments).subList(1, arguments.length)));
    java.io.BufferedReader input = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, "UTF-8"));
    for (String line; (line = input.readLine()) != null;) {
      String[] words = line.split(" ", 2);
      executor.execute(() -> client.wish(words[0], words[1], "").whenComplete(
          (end, failed) -> System.out.println("wish " + (failed == null ? end : failed))));
    }
    executor.submit(client::close).get();
    executor.shutdown();
    System.out.println("closed");
    long until = System.nanoTime() + 20_000_000_000L;
    while (threads() > 0 && System.nanoTime() < until) Thread.sleep(20);
    System.out.println("threads left: " + threads());
  }

  private static void print(LiveRoom room) {
    StringBuilder line = new StringBuilder(room.roomId);
    for (Item.GiftView view : room.screen().gifts()) line.append(' ').append(view.comboId);
    System.out.println(line);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("flyscreen")).count();
  }
}
