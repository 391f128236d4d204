/* The benches of the solvers: see script/bench. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(void);
} TABLES[] = {
    {"pawn", bench_pawn},           {"go", bench_go},
    {"mine", bench_mine},           {"growth-pawn", bench_pawn_growth},
    {"growth-go", bench_go_growth}, {"growth-mine", bench_mine_growth},
    {"clusters", bench_clusters},   {"band", bench_hard_band},
    {"clicks", bench_clicks},       {"small", bench_small},
    {"text", bench_text},
};

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t t = 0; count == 2 && t < sizeof TABLES / sizeof *TABLES; t++)
        if (strcmp(arguments[1], TABLES[t].name) == 0) {
            TABLES[t].run();
            return 0;
        }
    if (count >= 2 && count <= 3 && strcmp(arguments[1], "fixed") == 0)
        return bench_fixed(arguments[2]) ? 0 : 2;
    if (count == 4 && strcmp(arguments[1], "climb") == 0) {
        bench_climb((unsigned)strtoul(arguments[2], NULL, 10), strtoull(arguments[3], NULL, 10));
        return 0;
    }
    fprintf(stderr, "usage: bench fixed [NAME], bench climb SECONDS SEED, or bench TABLE, one of:");
    for (size_t t = 0; t < sizeof TABLES / sizeof *TABLES; t++)
        fprintf(stderr, " %s", TABLES[t].name);
    fprintf(stderr, "\n");
    return 2;
}
