#include "api/job/workspace.h"

void workspace_init(struct workspace *workspace, struct account *account, size_t max_solving, bool is_largest) {
    arena_init_charged(&workspace->reading, ARENA_WATERMARK, account);
    arena_init(&workspace->solving, max_solving);
    workspace->is_largest = is_largest;
}

void workspace_reset(struct workspace *workspace) {
    arena_reset(&workspace->reading);
    arena_reset(&workspace->solving);
}

void workspace_clear(struct workspace *workspace) {
    arena_clear(&workspace->reading);
    arena_clear(&workspace->solving);
}
