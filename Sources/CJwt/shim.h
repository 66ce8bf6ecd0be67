#include <stdlib.h>

#include <jwt.h>
