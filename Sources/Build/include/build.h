#pragma once

/// What this build was made of: a commit, with `-dirty` if files were changed; `unknown` if nobody said.
const char *flyscreen_commit(void);
