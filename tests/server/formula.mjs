// The table in ARCHITECTURE.md ("Memory"), with its figures: what resident memory may come to.

export const MiB = 2 ** 20;
export const READING = 4 * MiB; // a thread
export const CONNECTION = 224 * 2 ** 10;
export const REST = 64 * MiB;
const SHORT_ROOM = 96 * MiB;

const longRoom = ({ max_moves, max_mine_cells, max_search_states }) => Math.max(96 * MiB, 16 * MiB + 640 * max_moves,
  16 * MiB + 64 * max_mine_cells + 256 * max_search_states);

/** Bytes, by options and limits. */
export function mostMemory({ workers, long_workers, max_connections, max_inflight_bytes, ...limits }) {
  return max_inflight_bytes + (workers + 1) * SHORT_ROOM + long_workers * longRoom(limits) +
    (workers + long_workers + 1) * READING + max_connections * CONNECTION + REST;
}
