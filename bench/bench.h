/* The tables that script/bench prints, one function each. They exit if the answers differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void bench_pawn(void);
void bench_go(void);
void bench_mine(void);

/* Show how the cost grows with size. */
void bench_pawn_growth(void);
void bench_go_growth(void);
void bench_mine_growth(void);

/* Fields with connected openings: states, irreducible parts, time, and how many remain unsolved. */
void bench_clusters(void);
void bench_hard_band(void);

/* Winning clicks, compared with finding the verdict alone. */
void bench_clicks(void);

/* The small requests of script/bench http. */
void bench_small(void);

/* Whole requests in contest format, and just reading them. */
void bench_text(void);

/* Search for small fields that take a long time to solve, for some seconds of CPU, starting from this seed. */
void bench_climb(unsigned seconds, uint64_t seed);

/* Run the fixed workload with this name once, or print all names if it is NULL. Returns false if there is no workload
 * with this name. */
bool bench_fixed(const char *name);
