#include "api/server/mhd_version.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mhd_version_loaded(void) { return MHD_get_version(); }

bool mhd_version_fits(size_t size, char ret_reason[size]) {
    const unsigned built = MHD_VERSION; /* its digits are hexadecimal: 0x00097500 is 0.9.75 */
    const char *loaded = mhd_version_loaded();
    if (strtoul(loaded, NULL, 10) == built >> 24)
        return true;
    snprintf(ret_reason, size,
             "arbiter was built for libmicrohttpd %x.%x.%x, but %.16s is installed; build arbiter again on this system",
             built >> 24, built >> 16 & 0xff, built >> 8 & 0xff, loaded);
    return false;
}

bool mhd_version_misreads_chunks(const char *version) {
    static const char series[] = "1.0.";
    const size_t length = sizeof series - 1;
    return strncmp(version, series, length) == 0 && strspn(version + length, "0123456789") == 1;
}
