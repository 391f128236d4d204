#include "bench/baseline_pawn.h"

#include <stdlib.h>

enum { NOT_KNOWN = 255 };

struct baseline_pawn {
    unsigned cells;
    uint32_t states;
    uint32_t *first; /* [states + 1] index in `from` of a state's first predecessor */
    uint32_t *from;  /* predecessors */
    uint8_t *moves;  /* [states] moves that are not known to lose */
    uint8_t *winner; /* [states] enum pawn_side, or NOT_KNOWN */
    uint16_t *steps; /* [states] */
    uint32_t *queue; /* states with a value, in the order of their steps */
    uint32_t queued;
};

static void *must(void *memory) {
    if (memory == NULL)
        abort();
    return memory;
}

static uint32_t number_of(const struct baseline_pawn *s, unsigned red, unsigned other, unsigned pawn,
                          enum pawn_side turn) {
    unsigned high = red > other ? red : other, low = red > other ? other : red;
    return ((high * (high - 1) / 2 + low) * s->cells + pawn) * 2 + turn;
}

static void settle(struct baseline_pawn *s, uint32_t state, enum pawn_side winner, unsigned steps) {
    s->winner[state] = (uint8_t)winner;
    s->steps[state] = (uint16_t)steps;
    s->queue[s->queued++] = state;
}

static enum pawn_side other_side(enum pawn_side side) { return side == PAWN_RED ? PAWN_BLACK : PAWN_RED; }

/* Get the states that the legal moves lead to; returns their number. If the game is over, returns 0, and sets *ret_over
 * and *ret_winner. */
static unsigned successors(const struct baseline_pawn *s, struct pawn_position *position, uint32_t ret_states[8],
                           bool *ret_over, enum pawn_side *ret_winner) {
    const int steps[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    enum pawn_side turn = position->turn;
    unsigned count = 0;
    *ret_over = true;
    *ret_winner = PAWN_BLACK;
    if (position->pawn < position->cols)
        return 0;
    *ret_winner = other_side(turn);
    if (position->pawn == position->red[0] || position->pawn == position->red[1])
        return 0;
    for (unsigned piece = 0; piece < (turn == PAWN_RED ? 2 : 1); piece++) {
        unsigned at = turn == PAWN_RED ? position->red[piece] : position->pawn;
        for (unsigned k = 0; k < (turn == PAWN_RED ? 4 : 3); k++) {
            int row = (int)(at / position->cols) + steps[k][0], col = (int)(at % position->cols) + steps[k][1];
            if (row < 0 || col < 0 || row >= (int)position->rows || col >= (int)position->cols)
                continue;
            unsigned to = (unsigned)row * position->cols + (unsigned)col;
            if (position->obstacle[to] || (turn == PAWN_RED && to == position->red[1 - piece]))
                continue;
            ret_states[count++] = turn == PAWN_RED
                                      ? number_of(s, to, position->red[1 - piece], position->pawn, PAWN_BLACK)
                                      : number_of(s, position->red[0], position->red[1], to, PAWN_RED);
        }
    }
    *ret_over = count == 0;
    return count;
}

/* Visit every state. While `from` is NULL, count the edges and give the final states their values; after that, store
 * the edges. */
static void visit_all(struct baseline_pawn *s, const struct pawn_position *root) {
    struct pawn_position p = *root;
    for (p.red[0] = 1; p.red[0] < s->cells; p.red[0]++)
        for (p.red[1] = 0; p.red[1] < p.red[0]; p.red[1]++) {
            if (p.obstacle[p.red[0]] || p.obstacle[p.red[1]])
                continue;
            for (p.pawn = 0; p.pawn < s->cells; p.pawn++)
                for (int turn = 0; turn < 2 && !p.obstacle[p.pawn]; turn++) {
                    uint32_t next[8], state = number_of(s, p.red[0], p.red[1], p.pawn, (enum pawn_side)turn);
                    bool over;
                    enum pawn_side winner;
                    p.turn = (enum pawn_side)turn;
                    unsigned count = successors(s, &p, next, &over, &winner);
                    if (s->from == NULL) {
                        s->moves[state] = (uint8_t)count;
                        if (over)
                            settle(s, state, winner, 0);
                    }
                    for (unsigned k = 0; k < count; k++)
                        if (s->from == NULL)
                            s->first[next[k] + 1]++;
                        else
                            s->from[s->first[next[k]]++] = state;
                }
        }
}

/* Propagate values backwards: a state with a value decides each predecessor whose mover wins by moving there, or has no
 * other move left. */
static void propagate(struct baseline_pawn *s, uint32_t root, bool all) {
    for (uint32_t head = 0; head < s->queued && (all || s->winner[root] == NOT_KNOWN); head++) {
        uint32_t state = s->queue[head];
        for (uint32_t e = s->first[state]; e < s->first[state + 1]; e++) {
            uint32_t before = s->from[e];
            enum pawn_side mover = (enum pawn_side)(before % 2);
            if (s->winner[before] != NOT_KNOWN)
                continue;
            if (s->winner[state] == mover || --s->moves[before] == 0)
                settle(s, before, (enum pawn_side)s->winner[state], s->steps[state] + 1u);
        }
    }
}

struct baseline_pawn *baseline_pawn_new(const struct pawn_position *root, bool all) {
    struct baseline_pawn *s = must(calloc(1, sizeof *s));
    s->cells = root->rows * root->cols;
    s->states = s->cells * (s->cells - 1) / 2 * s->cells * 2;
    s->first = must(calloc(s->states + 2, sizeof *s->first));
    s->moves = must(calloc(s->states, 1));
    s->winner = must(malloc(s->states));
    s->steps = must(calloc(s->states, sizeof *s->steps));
    s->queue = must(malloc(s->states * sizeof *s->queue));
    for (uint32_t state = 0; state < s->states; state++)
        s->winner[state] = NOT_KNOWN;
    visit_all(s, root);
    for (uint32_t state = 0; state < s->states; state++)
        s->first[state + 1] += s->first[state];
    s->from = must(malloc((s->first[s->states] + 1) * sizeof *s->from));
    visit_all(s, root);
    for (uint32_t state = s->states; state > 0; state--)
        s->first[state] = s->first[state - 1];
    s->first[0] = 0;
    propagate(s, number_of(s, root->red[0], root->red[1], root->pawn, root->turn), all);
    return s;
}

void baseline_pawn_free(struct baseline_pawn *s) {
    if (s == NULL)
        return;
    free(s->first);
    free(s->from);
    free(s->moves);
    free(s->winner);
    free(s->steps);
    free(s->queue);
    free(s);
}

struct pawn_verdict baseline_pawn_value(const struct baseline_pawn *s, const struct pawn_position *p) {
    uint32_t state = number_of(s, p->red[0], p->red[1], p->pawn, p->turn);
    if (s->winner[state] == NOT_KNOWN)
        return (struct pawn_verdict){PAWN_TIE, 0};
    return (struct pawn_verdict){s->winner[state] == PAWN_RED ? PAWN_RED_WINS : PAWN_BLACK_WINS, s->steps[state]};
}
