#ifndef FLYSCREEN_PAGE_H
#define FLYSCREEN_PAGE_H

#include <stddef.h>

/// A file of the page, as it is served.
typedef struct PageFile {
  /// Where a browser asks for it: `/`, `/flyscreen.js`.
  const char *path;
  /// `text/html; charset=utf-8`
  const char *contentType;
  const unsigned char *bytes;
  size_t length;
} PageFile;

/// How many files the page has.
size_t page_file_count(void);

/// The file with that number, 0 ..< `page_file_count()`. It is never freed.
const PageFile *page_file(size_t number);

#endif
