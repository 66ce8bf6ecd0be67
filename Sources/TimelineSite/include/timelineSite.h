#ifndef FLYSCREEN_TIMELINE_SITE_H
#define FLYSCREEN_TIMELINE_SITE_H

#include <stddef.h>

/// A part of the page of a timeline. It is never freed.
typedef struct TimelinePart {
  const unsigned char *bytes;
  size_t length;
} TimelinePart;

/// The page up to its data: head, styles and body, in HTML.
TimelinePart timeline_top(void);

/// The page's JavaScript, without its script element.
TimelinePart timeline_script(void);

#endif
