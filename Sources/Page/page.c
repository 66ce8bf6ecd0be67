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
static const unsigned char css_base_css[] = {
#embed "site/css/base.css"
};
static const unsigned char page_main_js[] = {
#embed "site/page/main.js"
};

#define FILE(path, contentType, bytes) {path, contentType, bytes, sizeof(bytes)}

static const PageFile files[] = {
  FILE("/", "text/html; charset=utf-8", index_html),
  FILE("/flyscreen.js", "text/javascript; charset=utf-8", flyscreen_js),
  FILE("/icon.svg", "image/svg+xml", icon_svg),
  FILE("/css/base.css", "text/css; charset=utf-8", css_base_css),
  FILE("/page/main.js", "text/javascript; charset=utf-8", page_main_js),
};

size_t page_file_count(void) { return sizeof(files) / sizeof(files[0]); }

const PageFile *page_file(size_t number) { return &files[number]; }
