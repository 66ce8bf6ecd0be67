#include "build.h"

static int count;
static char **words;

// glibc gives them to constructors. Swift's CommandLine reads /proc, which not every root has.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  words = argv;
}

int flyscreen_argument_count(void) { return count; }

const char *flyscreen_argument(int i) { return words[i]; }

const char *flyscreen_commit(void) { return FLYSCREEN_COMMIT; }
