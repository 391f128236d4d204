/* Writes the optional parts of a JSON answer that describe the final position: legal points, chains, the score,
 * territory, and what is unconditionally alive. */
#pragma once

#include "api/go/case.h"
#include "base/buffer.h"

/* Append the parts that the case asks for, each with a comma before it. `next` is the colour to move. The game must not
 * be continued. */
enum outcome go_json_put_parts(struct buffer *out, const struct go_case *the_case, struct go_game *game,
                               enum go_color next, struct work *work);
