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

  /** The name by which the user is shown: their own, or their id where nobody could see that. */
  public String shownName() {
    return name.codePoints().allMatch(Sender::isInvisible) ? userId : name;
  }

  /** Blank, or drawn as nothing: U+3164, U+200B, U+2800. */
  private static boolean isInvisible(int point) {
    switch (Character.getType(point)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.SPACE_SEPARATOR:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR: return true;
      default: break;
    }
    // Unicode's Default_Ignorable_Code_Point, as far as it is none of these.
    return point == 0x2800 || point == 0x34F || point == 0x115F || point == 0x1160 || point == 0x17B4 || point == 0x17B5
        || (point >= 0x180B && point <= 0x180F) || point == 0x2065 || point == 0x3164 || (point >= 0xFE00 && point <= 0xFE0F)
        || point == 0xFFA0 || (point >= 0xFFF0 && point <= 0xFFF8) || (point >= 0xE0000 && point <= 0xE0FFF);
  }

  static Sender of(JSONObject body) {
    if (body == null) return new Sender("", "", "");
    return new Sender(body.optString("userId"), body.optString("name"), body.optString("avatarUrl"));
  }
}
