// The limits in openapi.yaml, with their defaults.

export const LIMITS = {
  max_body_bytes: 64 * 2 ** 20,
  max_json_values: 4_000_000,
  max_cases: 1_000,
  max_moves: 100_000,
  max_moves_total: 2_000_000,
  max_pawn_cells: 256,
  max_pawn_cells_total: 32_768,
  max_mine_cells: 1_000_000,
  max_mine_cells_total: 64_000_000,
  max_search_states: 1_000_000,
  max_answer_bytes: 64 * 2 ** 20,
  max_link_answer_bytes: 256 * 2 ** 10,
  max_stream_bytes: 2 ** 20,
  max_inflight_bytes: 2 ** 30,
  queue: 1_024,
};
