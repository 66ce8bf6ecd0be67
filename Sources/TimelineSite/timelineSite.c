#include "timelineSite.h"

// Clang has #embed in older C as well; it only wants to be sure.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char top[] = {
#embed "site/head.html"
  ,
#embed "site/style.css"
  ,
#embed "site/body.html"
};

static const unsigned char script[] = {
#embed "site/unpack.js"
  ,
#embed "site/model.js"
  ,
#embed "site/drawing.js"
  ,
#embed "site/interaction.js"
};

TimelinePart timeline_top(void) { return (TimelinePart){top, sizeof(top)}; }

TimelinePart timeline_script(void) { return (TimelinePart){script, sizeof(script)}; }
