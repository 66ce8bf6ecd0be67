#include "build.h"

const char *flyscreen_commit(void) { return FLYSCREEN_COMMIT; }
