// The maximum resident memory of the program: the formula in docs/sizing.md ("Memory"), with the same figures.

export const MiB = 2 ** 20;
export const READING = 4 * MiB; // per thread
export const CONNECTION = 224 * 2 ** 10;
export const REST = 64 * MiB;
const LOOP_WORKSPACE = 2 * MiB;

const longWorkspace = ({ max_moves, max_mine_cells, max_search_states }) => Math.max(96 * MiB, 16 * MiB + 880 * max_moves,
  16 * MiB + 64 * max_mine_cells + 256 * max_search_states);

/** The maximum resident memory of the program in bytes. */
export function mostMemory({ workers, long_workers, io_threads = 1, max_connections, max_inflight_bytes,
  short_workspace_bytes = 96 * MiB, ...limits }) {
  return max_inflight_bytes + workers * short_workspace_bytes + io_threads * LOOP_WORKSPACE + long_workers * longWorkspace(limits) +
    (workers + long_workers + io_threads) * READING + max_connections * CONNECTION + REST;
}

/** The same, plus the kernel memory for connections, which counts towards a container's limit. */
export function mostMemoryWithKernel({ max_connections, kernel_buffers_bytes = 256 * 2 ** 10, ...rest }) {
  return mostMemory({ max_connections, ...rest }) + max_connections * kernel_buffers_bytes;
}
