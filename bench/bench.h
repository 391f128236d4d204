/* The tables that script/bench prints, one function for each. They end the process when answers differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void bench_pawn(void);
void bench_go(void);
void bench_mine(void);

/* How the cost grows with size. */
void bench_pawn_growth(void);
void bench_go_growth(void);
void bench_mine_growth(void);

/* Fields with connected openings: states, irreducible parts, time, and how many are not solved. */
void bench_clusters(void);
void bench_hard_band(void);

/* Winning clicks, compared with finding the verdict alone. */
void bench_clicks(void);

/* The small requests of script/bench http. */
void bench_small(void);

/* Whole requests in contest format, and reading them. */
void bench_text(void);

/* Search for small fields that take long, for some seconds of CPU, starting from this seed. */
void bench_climb(unsigned seconds, uint64_t seed);

/* Do a fixed piece of work once, by name. NULL prints all names. Returns false if there is no such name. */
bool bench_fixed(const char *name);
