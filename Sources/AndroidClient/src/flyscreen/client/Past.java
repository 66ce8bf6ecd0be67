package flyscreen.client;

import java.util.Iterator;
import java.util.function.Predicate;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What happens to a room's past when something is taken back. */
final class Past {
  private Past() {}

  /** A past without the wishes and the givers that a {@code retracted} names. */
  static JSONObject without(JSONObject past, JSONObject retracted) {
    String wishId = retracted.optString("wishId");
    String userId = retracted.optString("userId");
    try {
      JSONObject left = new JSONObject();
      for (Iterator<String> names = past.keys(); names.hasNext();) {
        String name = names.next();
        left.put(name, past.get(name));
      }
      left.put("wishes", without(past.optJSONArray("wishes"),
          one -> (!wishId.isEmpty() && wishId.equals(one.optString("wishId"))) || isOf(one, userId)));
      left.put("givers", without(past.optJSONArray("givers"), one -> isOf(one, userId)));
      return left;
    } catch (JSONException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static boolean isOf(JSONObject one, String userId) {
    return !userId.isEmpty() && userId.equals(Sender.of(one.optJSONObject("sender")).userId);
  }

  private static JSONArray without(JSONArray list, Predicate<JSONObject> isGone) {
    JSONArray left = new JSONArray();
    for (int i = 0; list != null && i < list.length(); i++) {
      JSONObject one = list.optJSONObject(i);
      if (one != null && !isGone.test(one)) left.put(one);
    }
    return left;
  }
}
