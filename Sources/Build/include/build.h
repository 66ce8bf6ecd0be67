#pragma once

/// The commit that this build was made of, with `-dirty` if files were changed; `unknown`: the build was not told.
const char *flyscreen_commit(void);

/// Words of the command line, the program's own name first.
int flyscreen_argument_count(void);
const char *flyscreen_argument(int i);
