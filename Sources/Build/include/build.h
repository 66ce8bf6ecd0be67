#pragma once

/// What this build was made of: a commit, with `-dirty` if files were changed; `unknown` if nobody said.
const char *flyscreen_commit(void);

/// Words of the command line, the program's own name first.
int flyscreen_argument_count(void);
const char *flyscreen_argument(int i);
