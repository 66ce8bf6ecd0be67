#include "page.h"

// The files lie in site/ as a browser gets them; a program that serves them needs nothing beside itself.
// Clang has #embed in older C as well; it only wants to be sure.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "site/index.html"
};
static const unsigned char flyscreen_js[] = {
#embed "site/flyscreen.js"
};
static const unsigned char icon_svg[] = {
#embed "site/icon.svg"
};
static const unsigned char client_appliedCommands_js[] = {
#embed "site/client/appliedCommands.js"
};
static const unsigned char client_backoff_js[] = {
#embed "site/client/backoff.js"
};
static const unsigned char client_commandStream_js[] = {
#embed "site/client/commandStream.js"
};
static const unsigned char client_commands_js[] = {
#embed "site/client/commands.js"
};
static const unsigned char client_eventStreamParser_js[] = {
#embed "site/client/eventStreamParser.js"
};
static const unsigned char client_flyscreen_js[] = {
#embed "site/client/flyscreen.js"
};
static const unsigned char client_liveRoom_js[] = {
#embed "site/client/liveRoom.js"
};
static const unsigned char client_logClock_js[] = {
#embed "site/client/logClock.js"
};
static const unsigned char client_roomStreams_js[] = {
#embed "site/client/roomStreams.js"
};
static const unsigned char client_screen_js[] = {
#embed "site/client/screen.js"
};
static const unsigned char css_base_css[] = {
#embed "site/css/base.css"
};
static const unsigned char css_controls_css[] = {
#embed "site/css/controls.css"
};
static const unsigned char css_desk_css[] = {
#embed "site/css/desk.css"
};
static const unsigned char css_gifts_css[] = {
#embed "site/css/gifts.css"
};
static const unsigned char css_rain_css[] = {
#embed "site/css/rain.css"
};
static const unsigned char css_room_css[] = {
#embed "site/css/room.css"
};
static const unsigned char css_scene_css[] = {
#embed "site/css/scene.css"
};
static const unsigned char css_sheet_css[] = {
#embed "site/css/sheet.css"
};
static const unsigned char css_wishes_css[] = {
#embed "site/css/wishes.css"
};
static const unsigned char page_announcer_js[] = {
#embed "site/page/announcer.js"
};
static const unsigned char page_avatar_js[] = {
#embed "site/page/avatar.js"
};
static const unsigned char page_controls_js[] = {
#embed "site/page/controls.js"
};
static const unsigned char page_deck_js[] = {
#embed "site/page/deck.js"
};
static const unsigned char page_desk_js[] = {
#embed "site/page/desk.js"
};
static const unsigned char page_directory_js[] = {
#embed "site/page/directory.js"
};
static const unsigned char page_element_js[] = {
#embed "site/page/element.js"
};
static const unsigned char page_fingers_js[] = {
#embed "site/page/fingers.js"
};
static const unsigned char page_gestures_js[] = {
#embed "site/page/gestures.js"
};
static const unsigned char page_giftArt_js[] = {
#embed "site/page/giftArt.js"
};
static const unsigned char page_giftLanes_js[] = {
#embed "site/page/giftLanes.js"
};
static const unsigned char page_hearts_js[] = {
#embed "site/page/hearts.js"
};
static const unsigned char page_main_js[] = {
#embed "site/page/main.js"
};
static const unsigned char page_motion_js[] = {
#embed "site/page/motion.js"
};
static const unsigned char page_rainBoard_js[] = {
#embed "site/page/rainBoard.js"
};
static const unsigned char page_ranking_js[] = {
#embed "site/page/ranking.js"
};
static const unsigned char page_redPackets_js[] = {
#embed "site/page/redPackets.js"
};
static const unsigned char page_roomView_js[] = {
#embed "site/page/roomView.js"
};
static const unsigned char page_scene_js[] = {
#embed "site/page/scene.js"
};
static const unsigned char page_seed_js[] = {
#embed "site/page/seed.js"
};
static const unsigned char page_senders_js[] = {
#embed "site/page/senders.js"
};
static const unsigned char page_sending_js[] = {
#embed "site/page/sending.js"
};
static const unsigned char page_sheet_js[] = {
#embed "site/page/sheet.js"
};
static const unsigned char page_skipNote_js[] = {
#embed "site/page/skipNote.js"
};
static const unsigned char page_statusPill_js[] = {
#embed "site/page/statusPill.js"
};
static const unsigned char page_viewer_js[] = {
#embed "site/page/viewer.js"
};
static const unsigned char page_wishTracks_js[] = {
#embed "site/page/wishTracks.js"
};
static const unsigned char page_words_js[] = {
#embed "site/page/words.js"
};
static const unsigned char page_scenes_concert_js[] = {
#embed "site/page/scenes/concert.js"
};
static const unsigned char page_scenes_sea_js[] = {
#embed "site/page/scenes/sea.js"
};
static const unsigned char page_scenes_terrain_js[] = {
#embed "site/page/scenes/terrain.js"
};
static const unsigned char package_json[] = {
#embed "site/package.json"
};
static const unsigned char client_comeback_js[] = {
#embed "site/client/comeback.js"
};
static const unsigned char client_grabs_js[] = {
#embed "site/client/grabs.js"
};
static const unsigned char client_outbox_js[] = {
#embed "site/client/outbox.js"
};
static const unsigned char client_ownWishes_js[] = {
#embed "site/client/ownWishes.js"
};
static const unsigned char client_token_js[] = {
#embed "site/client/token.js"
};
static const unsigned char page_hostToken_js[] = {
#embed "site/page/hostToken.js"
};
static const unsigned char page_ownWishNotes_js[] = {
#embed "site/page/ownWishNotes.js"
};
static const unsigned char page_trouble_js[] = {
#embed "site/page/trouble.js"
};
static const unsigned char page_lastWishes_js[] = {
#embed "site/page/lastWishes.js"
};
static const unsigned char page_moments_js[] = {
#embed "site/page/moments.js"
};
static const unsigned char page_overlay_js[] = {
#embed "site/page/overlay.js"
};
static const unsigned char css_moments_css[] = {
#embed "site/css/moments.css"
};
static const unsigned char css_overlay_css[] = {
#embed "site/css/overlay.css"
};
static const unsigned char page_comboButton_js[] = {
#embed "site/page/comboButton.js"
};
static const unsigned char page_sentences_js[] = {
#embed "site/page/sentences.js"
};

#define FILE(path, contentType, bytes) {path, contentType, bytes, sizeof(bytes)}

static const PageFile files[] = {
  FILE("/", "text/html; charset=utf-8", index_html),
  FILE("/flyscreen.js", "text/javascript; charset=utf-8", flyscreen_js),
  FILE("/icon.svg", "image/svg+xml", icon_svg),
  FILE("/client/appliedCommands.js", "text/javascript; charset=utf-8", client_appliedCommands_js),
  FILE("/client/backoff.js", "text/javascript; charset=utf-8", client_backoff_js),
  FILE("/client/commandStream.js", "text/javascript; charset=utf-8", client_commandStream_js),
  FILE("/client/commands.js", "text/javascript; charset=utf-8", client_commands_js),
  FILE("/client/eventStreamParser.js", "text/javascript; charset=utf-8", client_eventStreamParser_js),
  FILE("/client/flyscreen.js", "text/javascript; charset=utf-8", client_flyscreen_js),
  FILE("/client/liveRoom.js", "text/javascript; charset=utf-8", client_liveRoom_js),
  FILE("/client/logClock.js", "text/javascript; charset=utf-8", client_logClock_js),
  FILE("/client/roomStreams.js", "text/javascript; charset=utf-8", client_roomStreams_js),
  FILE("/client/screen.js", "text/javascript; charset=utf-8", client_screen_js),
  FILE("/css/base.css", "text/css; charset=utf-8", css_base_css),
  FILE("/css/controls.css", "text/css; charset=utf-8", css_controls_css),
  FILE("/css/desk.css", "text/css; charset=utf-8", css_desk_css),
  FILE("/css/gifts.css", "text/css; charset=utf-8", css_gifts_css),
  FILE("/css/rain.css", "text/css; charset=utf-8", css_rain_css),
  FILE("/css/room.css", "text/css; charset=utf-8", css_room_css),
  FILE("/css/scene.css", "text/css; charset=utf-8", css_scene_css),
  FILE("/css/sheet.css", "text/css; charset=utf-8", css_sheet_css),
  FILE("/css/wishes.css", "text/css; charset=utf-8", css_wishes_css),
  FILE("/page/announcer.js", "text/javascript; charset=utf-8", page_announcer_js),
  FILE("/page/avatar.js", "text/javascript; charset=utf-8", page_avatar_js),
  FILE("/page/controls.js", "text/javascript; charset=utf-8", page_controls_js),
  FILE("/page/deck.js", "text/javascript; charset=utf-8", page_deck_js),
  FILE("/page/desk.js", "text/javascript; charset=utf-8", page_desk_js),
  FILE("/page/directory.js", "text/javascript; charset=utf-8", page_directory_js),
  FILE("/page/element.js", "text/javascript; charset=utf-8", page_element_js),
  FILE("/page/fingers.js", "text/javascript; charset=utf-8", page_fingers_js),
  FILE("/page/gestures.js", "text/javascript; charset=utf-8", page_gestures_js),
  FILE("/page/giftArt.js", "text/javascript; charset=utf-8", page_giftArt_js),
  FILE("/page/giftLanes.js", "text/javascript; charset=utf-8", page_giftLanes_js),
  FILE("/page/hearts.js", "text/javascript; charset=utf-8", page_hearts_js),
  FILE("/page/main.js", "text/javascript; charset=utf-8", page_main_js),
  FILE("/page/motion.js", "text/javascript; charset=utf-8", page_motion_js),
  FILE("/page/rainBoard.js", "text/javascript; charset=utf-8", page_rainBoard_js),
  FILE("/page/ranking.js", "text/javascript; charset=utf-8", page_ranking_js),
  FILE("/page/redPackets.js", "text/javascript; charset=utf-8", page_redPackets_js),
  FILE("/page/roomView.js", "text/javascript; charset=utf-8", page_roomView_js),
  FILE("/page/scene.js", "text/javascript; charset=utf-8", page_scene_js),
  FILE("/page/seed.js", "text/javascript; charset=utf-8", page_seed_js),
  FILE("/page/senders.js", "text/javascript; charset=utf-8", page_senders_js),
  FILE("/page/sending.js", "text/javascript; charset=utf-8", page_sending_js),
  FILE("/page/sheet.js", "text/javascript; charset=utf-8", page_sheet_js),
  FILE("/page/skipNote.js", "text/javascript; charset=utf-8", page_skipNote_js),
  FILE("/page/statusPill.js", "text/javascript; charset=utf-8", page_statusPill_js),
  FILE("/page/viewer.js", "text/javascript; charset=utf-8", page_viewer_js),
  FILE("/page/wishTracks.js", "text/javascript; charset=utf-8", page_wishTracks_js),
  FILE("/page/words.js", "text/javascript; charset=utf-8", page_words_js),
  FILE("/page/scenes/concert.js", "text/javascript; charset=utf-8", page_scenes_concert_js),
  FILE("/page/scenes/sea.js", "text/javascript; charset=utf-8", page_scenes_sea_js),
  FILE("/page/scenes/terrain.js", "text/javascript; charset=utf-8", page_scenes_terrain_js),
  FILE("/package.json", "application/json", package_json),
  FILE("/client/comeback.js", "text/javascript; charset=utf-8", client_comeback_js),
  FILE("/client/grabs.js", "text/javascript; charset=utf-8", client_grabs_js),
  FILE("/client/outbox.js", "text/javascript; charset=utf-8", client_outbox_js),
  FILE("/client/ownWishes.js", "text/javascript; charset=utf-8", client_ownWishes_js),
  FILE("/client/token.js", "text/javascript; charset=utf-8", client_token_js),
  FILE("/page/hostToken.js", "text/javascript; charset=utf-8", page_hostToken_js),
  FILE("/page/ownWishNotes.js", "text/javascript; charset=utf-8", page_ownWishNotes_js),
  FILE("/page/trouble.js", "text/javascript; charset=utf-8", page_trouble_js),
  FILE("/page/lastWishes.js", "text/javascript; charset=utf-8", page_lastWishes_js),
  FILE("/page/moments.js", "text/javascript; charset=utf-8", page_moments_js),
  FILE("/page/overlay.js", "text/javascript; charset=utf-8", page_overlay_js),
  FILE("/css/moments.css", "text/css; charset=utf-8", css_moments_css),
  FILE("/css/overlay.css", "text/css; charset=utf-8", css_overlay_css),
  FILE("/page/comboButton.js", "text/javascript; charset=utf-8", page_comboButton_js),
  FILE("/page/sentences.js", "text/javascript; charset=utf-8", page_sentences_js),
};

size_t page_file_count(void) { return sizeof(files) / sizeof(files[0]); }

const PageFile *page_file(size_t number) { return &files[number]; }
