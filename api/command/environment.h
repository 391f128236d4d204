/* Warnings about environment variables that look like options and are not. */
#pragma once

#include "api/server/log.h"

/* Log a warning for each variable ARBITER_… that no option has, and for each that Kubernetes has set
 * (options_is_injected). It names the most similar variable of an option. These are no errors: clusters set such
 * variables. */
void environment_warn(struct log *log);
