/* Versions of libmicrohttpd. 0.9 and 1.x share a soname, so a program that was built with one may be started with the
 * other. The loader does not notice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MHD_VERSION_REASON = 160 /* bytes of a reason, including its end */ };

/* Can the program serve with the libmicrohttpd that is loaded? Not if one of it and the headers of the build is 0.9 and
 * the other 1.x: a connection from MHD_add_connection would be opened in the next round, where nobody expects it, or
 * the options of the daemon would be unknown. False, with the reason as text, if it cannot. */
bool mhd_version_fits(size_t size, char ret_reason[size]);

/* Get the version that is loaded, such as "1.0.1". */
const char *mhd_version_loaded(void);

/* May this version find the end of a chunked body at the wrong byte? 1.0.3 to 1.0.6 take what follows an extension of
 * the last chunk for the next request, also in their strict reading. 1.0.10 does not; what lies between could not be
 * tried. So the answer is yes for all from 1.0.0 to 1.0.9. It is decided by the text, because the number in the headers
 * of 1.0.4 is that of 1.0.3. */
bool mhd_version_misreads_chunks(const char *version);
