/* A library for LD_PRELOAD: libmicrohttpd reports the version that the variable OTHER_VERSION names. */
#include <microhttpd.h>
#include <stdlib.h>

const char *MHD_get_version(void) { return getenv("OTHER_VERSION"); }
