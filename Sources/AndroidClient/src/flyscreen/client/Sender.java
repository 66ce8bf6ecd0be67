package flyscreen.client;

import org.json.JSONObject;

/** A user as a command names them. */
public final class Sender {
  public final String userId;
  public final String name;
  public final String avatarUrl;

  public Sender(String userId, String name, String avatarUrl) {
    this.userId = userId;
    this.name = name;
    this.avatarUrl = avatarUrl;
  }

  static Sender of(JSONObject body) {
    if (body == null) return new Sender("", "", "");
    return new Sender(body.optString("userId"), body.optString("name"), body.optString("avatarUrl"));
  }
}
