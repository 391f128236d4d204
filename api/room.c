#include "api/room.h"

void room_init(struct room *room, struct account *account, size_t most_solving, bool is_last) {
    arena_init_charged(&room->reading, ARENA_WATERMARK, account);
    arena_init(&room->solving, most_solving);
    room->is_last = is_last;
}

void room_reset(struct room *room) {
    arena_reset(&room->reading);
    arena_reset(&room->solving);
}

void room_clear(struct room *room) {
    arena_clear(&room->reading);
    arena_clear(&room->solving);
}
