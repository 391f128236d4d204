/* The tables that script/bench prints, one function each. They end the process when answers differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

void bench_pawn(void);
void bench_go(void);
void bench_mine(void);

/* How cost grows with size. */
void bench_pawn_growth(void);
void bench_go_growth(void);
void bench_mine_growth(void);

/* Fields whose openings hang together: states, irreducible parts, time, how many are not solved. */
void bench_clusters(void);
void bench_hard_band(void);

/* Winning clicks beside the verdict. */
void bench_clicks(void);

/* The small requests of script/bench http. */
void bench_small(void);

/* Whole requests in the judges' text, and reading it. */
void bench_text(void);

/* Look for some seconds of CPU for small fields that take long, from this seed and those behind it. */
void bench_climb(unsigned seconds, uint64_t seed);

/* Do a fixed piece of work once, by its name; NULL prints all names. False when there is no such name. */
bool bench_fixed(const char *name);
