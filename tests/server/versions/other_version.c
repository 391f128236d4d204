/* A library for LD_PRELOAD that makes libmicrohttpd report the version in the environment variable OTHER_VERSION. */
#include <microhttpd.h>
#include <stdlib.h>

const char *MHD_get_version(void) { return getenv("OTHER_VERSION"); }
