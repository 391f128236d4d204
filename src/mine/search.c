/* The Grundy value of a graph in the deletion game.
 *
 * A position is first reduced by theory (reduce.c). The parts that are left are irreducible, and are searched with a
 * stack of our own. The mex of all options is more than anybody asks for: of a part it is asked whether it equals m,
 * and that it does not is known as soon as one option does. Its value is the first m that no option has. (Lemoine and
 * Viennot, 'Nimbers are inevitable', arXiv 1011.5841.) So the memo keeps, under the key of a part, its value once it is
 * known, and until then the values that some option is known to have. A key is the whole part, so that a hash finds the
 * place and never decides; parts that are alike share it, wherever they stand.
 *
 *     frame:  a part | the question: what is it worth, or: is it worth m? | the value sought among its options | which
 *
 * A state is a part that is met for the first time. Those of more than SMALL_PIECES cost more time and memory than
 * others, so that they count for several: one more for every STATE_KEEPS pieces that the memo keeps for it, and for
 * every STATE_LOOKS pieces that its options are made of. So the limit on states bounds time and memory too, whatever
 * the field.
 *
 * The newest frame first reduces its options, all of them once, and notes those that are known. Then it looks for an
 * option with the value sought, the smallest first. Of an option with several unknown parts it has all but the largest
 * valued, of the largest it asks whether it has the one value that would do. Each question is a new frame; its answer
 * is found in the memo when it is gone. */
#include "mine/search.h"

#include "mine/key.h"
#include "mine/memo.h"
#include "mine/reduce.h"

#include <string.h>

enum {
    NOT_KEPT = UINT32_MAX,
    SMALL_PIECES = 256, /* a part whose options may be kept, and whose price is a state */
    STATE_LOOKS = 1024, /* pieces of larger parts looked over that cost a state */
    STATE_KEEPS = 1024, /* pieces kept in the memo that cost a state */
};

/* An option of a part: worth `value`, but for parts that were not known when it was reduced. */
struct option {
    uint32_t value;
    uint32_t part_count; /* NOT_KEPT: it must be reduced again, since its part is large */
    size_t first_part;   /* among the search's option_parts */
    uint32_t pieces;     /* of those parts */
    enum mine_change what;
    uint32_t which;
};

/* A question about a part: see the head of this file. */
struct frame {
    uint32_t entry;  /* the part, in the memo */
    uint32_t goal;   /* is it worth this? MINE_UNKNOWN: what is it worth? */
    uint32_t sought; /* the value looked for among its options: the goal first, then all below it */
    bool expanded;   /* its options are there */
    bool below;      /* no option is worth the goal */
    size_t first_option, next_option, first_part, first_word;
};

struct mine_search {
    struct arena *arena;
    struct work *work;
    struct mine_tally *tally;
    struct mine_reducer reducer;
    struct mine_cluster cluster;  /* that was opened */
    struct mine_cluster expanded; /* the part whose options are reduced */
    struct mine_key_scratch key_scratch;
    struct mine_memo memo;
    struct stack {
        struct frame *frames;
        size_t count, capacity;
    } stack;
    /* The options of the frames on the stack, one frame's above the other's, and their unknown parts. */
    struct options {
        struct option *items;
        size_t count, capacity;
    } options;
    struct mine_parts option_parts;
    struct mine_parts position; /* the parts of the position that is asked about */
    uint64_t pieces_seen;       /* since the last state was paid for pieces looked over */
};

/* How a piece of the search ended. */
enum step {
    STEP_GO_ON,
    STEP_NO_STATES, /* max_states are used up */
    STEP_NO_MEMORY,
    STEP_OUT_OF_WORK,
};

/* What is known of a part; NULL when it was never asked about. */
static const struct mine_facts *look_up(const struct mine_search *s, const struct mine_parts *parts,
                                        const struct mine_part *part) {
    uint32_t entry = mine_memo_find(&s->memo, parts, part);
    return entry != MINE_NO_ENTRY ? &s->memo.facts[entry] : NULL;
}

static bool stack_push(struct mine_search *s, struct frame frame) {
    struct stack *stack = &s->stack;
    struct frame *frames =
        arena_extend(s->arena, stack->frames, stack->count, stack->count + 1, &stack->capacity, sizeof *frames);
    if (frames == NULL)
        return false;
    stack->frames = frames;
    stack->frames[stack->count++] = frame;
    return true;
}

/* Pay states; false when there are not enough. */
static bool pay_states(struct mine_search *s, uint64_t states, uint64_t *states_left) {
    if (states > *states_left)
        return false;
    *states_left -= states;
    s->tally->states += states;
    return true;
}

/* Ask about a part: push a frame for it. It counts as a state when it is met for the first time. */
static enum step ask(struct mine_search *s, const struct mine_parts *parts, const struct mine_part *part, uint32_t goal,
                     uint64_t *states_left) {
    uint32_t entry = mine_memo_find(&s->memo, parts, part);
    if (entry == MINE_NO_ENTRY) {
        if (!pay_states(s, 1 + mine_part_pieces(part) / STATE_KEEPS, states_left))
            return STEP_NO_STATES;
        entry = (uint32_t)s->memo.count;
        if (!mine_memo_add(&s->memo, parts, part, s->arena))
            return STEP_NO_MEMORY;
    }
    struct frame frame = {
        .entry = entry, .goal = goal, .sought = goal != MINE_UNKNOWN ? goal : 0, .below = goal == MINE_UNKNOWN};
    return stack_push(s, frame) ? STEP_GO_ON : STEP_NO_MEMORY;
}

/* A sum of parts, as far as they are known: worth `value`, but for the parts that are not. */
struct reading {
    uint32_t value;
    uint32_t unknown; /* how many parts are not */
    const struct mine_part *smallest, *largest;
    const struct mine_facts *largest_facts; /* NULL: nothing is known of it */
};

static struct reading read_sum(const struct mine_search *s, uint32_t value, const struct mine_parts *parts,
                               size_t first, size_t count) {
    struct reading reading = {.value = value};
    for (size_t p = first; p < first + count; p++) {
        const struct mine_part *part = &parts->items[p];
        const struct mine_facts *facts = look_up(s, parts, part);
        if (facts != NULL && facts->value != MINE_UNKNOWN) {
            reading.value ^= facts->value;
            s->tally->memo_hits++;
            continue;
        }
        reading.unknown++;
        if (reading.smallest == NULL || mine_part_pieces(part) < mine_part_pieces(reading.smallest))
            reading.smallest = part;
        if (reading.largest == NULL || mine_part_pieces(part) >= mine_part_pieces(reading.largest)) {
            reading.largest = part;
            reading.largest_facts = facts;
        }
    }
    return reading;
}

static struct reading read_option(const struct mine_search *s, const struct option *option) {
    return read_sum(s, option->value, &s->option_parts, option->first_part, option->part_count);
}

/* Is it settled that a sum is not worth m, though a part is unknown? */
static bool cannot_be(const struct reading *reading, uint32_t m) {
    uint32_t needed = reading->value ^ m;
    return reading->unknown == 1 && reading->largest_facts != NULL &&
           mine_facts_exclude(reading->largest_facts, needed);
}

/* The question that would settle whether a sum with unknown parts is worth m. */
static enum step ask_further(struct mine_search *s, const struct mine_parts *parts, const struct reading *reading,
                             uint32_t m, uint64_t *states_left) {
    uint32_t goal = reading->value ^ m;
    if (reading->unknown > 1)
        return ask(s, parts, reading->smallest, MINE_UNKNOWN, states_left);
    return ask(s, parts, reading->largest, goal < MINE_NOTED_VALUES ? goal : MINE_UNKNOWN, states_left);
}

/* Keep the option that was reduced last: its value so far, and its parts that are not known. */
static bool push_option(struct mine_search *s, enum mine_change what, uint32_t which) {
    struct options *options = &s->options;
    const struct mine_parts *parts = &s->reducer.sum.parts;
    struct option *items =
        arena_extend(s->arena, options->items, options->count, options->count + 1, &options->capacity, sizeof *items);
    if (items == NULL)
        return false;
    options->items = items;
    struct option option = {s->reducer.sum.value, 0, s->option_parts.count, 0, what, which};
    bool keeps = 2 * (size_t)s->expanded.vertices + s->expanded.edges <= SMALL_PIECES;
    for (size_t p = 0; p < parts->count; p++) {
        const struct mine_part *part = &parts->items[p];
        const struct mine_facts *facts = look_up(s, parts, part);
        if (facts != NULL && facts->value != MINE_UNKNOWN) {
            option.value ^= facts->value;
            s->tally->memo_hits++;
            continue;
        }
        if (keeps && !mine_parts_add(&s->option_parts, part, mine_part_key(parts, part), s->arena))
            return false;
        option.part_count = keeps ? option.part_count + 1 : NOT_KEPT;
        option.pieces += keeps ? mine_part_pieces(part) : 0;
    }
    options->items[options->count++] = option;
    return true;
}

/* Reduce the position in the reducer, and note or keep it as an option of the frame's part. */
static enum step take_option(struct mine_search *s, const struct frame *frame, enum mine_change what, uint32_t which) {
    if (!mine_reduce(&s->reducer) || !push_option(s, what, which))
        return STEP_NO_MEMORY;
    const struct option *option = &s->options.items[s->options.count - 1];
    if (option->part_count == 0 && option->value < MINE_NOTED_VALUES) {
        mine_memo_note(&s->memo, frame->entry, option->value);
        s->options.count--;
    }
    return STEP_GO_ON;
}

/* Pay for looking over the part once more. */
static enum step pay_look(struct mine_search *s, uint64_t *states_left) {
    uint64_t pieces = 2 * (uint64_t)s->expanded.vertices + s->expanded.edges;
    if (!work_charge(s->work, 5 + pieces))
        return STEP_OUT_OF_WORK;
    s->pieces_seen += pieces > SMALL_PIECES ? pieces : 0;
    if (!pay_states(s, s->pieces_seen / STATE_LOOKS, states_left))
        return STEP_NO_STATES;
    s->pieces_seen %= STATE_LOOKS;
    return STEP_GO_ON;
}

/* Turn the reducer to the frame's part. */
static void open_part(struct mine_search *s, const struct frame *frame) {
    mine_key_decode(s->memo.words + s->memo.facts[frame->entry].key, &s->key_scratch, &s->expanded);
    mine_reducer_open(&s->reducer, &s->expanded);
}

/* Order the options of a frame by their pieces, smallest first: the states of a part double with every three pieces or
 * so. Left as they come, random fields of 100 x 100 at 11 and 12 % take two to three times as many states. */
static void order_options(struct mine_search *s, const struct frame *frame) {
    struct option *items = s->options.items + frame->first_option;
    size_t count = s->options.count - frame->first_option;
    for (size_t k = 0; k < count; k++) {
        struct option option = items[k];
        size_t at = k;
        for (; at > 0 && items[at - 1].pieces > option.pieces; at--)
            items[at] = items[at - 1];
        items[at] = option;
    }
}

/* Reduce the options by moves of one kind, until one is known to have the value that the question is about. */
static enum step expand_by(struct mine_search *s, const struct frame *frame, enum mine_change what,
                           uint64_t *states_left) {
    const struct mine_facts *facts = &s->memo.facts[frame->entry];
    const struct mine_cluster *part = &s->expanded;
    uint32_t count = what == MINE_TOGGLE_EDGE ? part->edges : part->vertices;
    for (uint32_t which = 0; which < count && !mine_facts_exclude(facts, frame->goal); which++) {
        if (what == MINE_TOGGLE_LOOP && !part->loop[which])
            continue;
        enum step step = pay_look(s, states_left);
        if (step != STEP_GO_ON)
            return step;
        mine_reducer_take(&s->reducer);
        mine_reducer_change(&s->reducer, what, which);
        step = take_option(s, frame, what, which);
        if (step != STEP_GO_ON)
            return step;
    }
    return STEP_GO_ON;
}

/* Reduce every option, until one is known to have the value that the question is about, and put them in order. */
static enum step expand(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    enum step step = STEP_GO_ON;
    frame->first_option = frame->next_option = s->options.count;
    frame->first_part = s->option_parts.count;
    frame->first_word = s->option_parts.word_count;
    frame->expanded = true;
    open_part(s, frame);
    for (enum mine_change what = MINE_TAKE_VERTEX; what <= MINE_TOGGLE_EDGE && step == STEP_GO_ON; what++)
        step = expand_by(s, frame, what, states_left);
    order_options(s, frame);
    return step;
}

/* Seek another value. */
static void seek(struct frame *frame, uint32_t value) {
    frame->sought = value;
    frame->next_option = frame->first_option;
}

/* Every option was looked at and none is worth what was sought. */
static void conclude(struct mine_search *s, struct frame *frame) {
    if (frame->below)
        s->memo.facts[frame->entry].value = frame->sought;
    frame->below = true;
    seek(frame, 0);
}

/* Reduce an option of the frame's part again. */
static enum step reduce_again(struct mine_search *s, const struct frame *frame, const struct option *option,
                              uint64_t *states_left) {
    open_part(s, frame);
    enum step step = pay_look(s, states_left);
    if (step != STEP_GO_ON)
        return step;
    mine_reducer_take(&s->reducer);
    mine_reducer_change(&s->reducer, option->what, option->which);
    return mine_reduce(&s->reducer) ? STEP_GO_ON : STEP_NO_MEMORY;
}

/* Look at one option for the value sought, or ask what must be known first. */
static enum step look_at_option(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    if (frame->next_option == s->options.count) {
        conclude(s, frame);
        return STEP_GO_ON;
    }
    const struct option *option = &s->options.items[frame->next_option];
    const struct mine_parts *parts = &s->option_parts;
    struct reading reading;
    if (option->part_count != NOT_KEPT) {
        reading = read_option(s, option);
    } else {
        enum step step = reduce_again(s, frame, option, states_left);
        if (step != STEP_GO_ON)
            return step;
        parts = &s->reducer.sum.parts;
        reading = read_sum(s, s->reducer.sum.value, parts, 0, parts->count);
    }
    if (reading.unknown != 0 && !cannot_be(&reading, frame->sought))
        return ask_further(s, parts, &reading, frame->sought, states_left);
    frame->next_option++;
    if (reading.unknown != 0)
        return STEP_GO_ON;
    mine_memo_note(&s->memo, frame->entry, reading.value);
    if (reading.value == frame->sought && frame->sought >= MINE_NOTED_VALUES)
        seek(frame, frame->sought + 1);
    return STEP_GO_ON;
}

/* Is the frame's question answered by what is known? Moves what is sought past what options are known to have. */
static bool is_answered(struct mine_search *s, struct frame *frame) {
    struct mine_facts *facts = &s->memo.facts[frame->entry];
    if (facts->value != MINE_UNKNOWN || (mine_facts_exclude(facts, frame->goal)))
        return true;
    if (!frame->below)
        return false;
    while (mine_facts_exclude(facts, frame->sought))
        seek(frame, frame->sought + 1);
    /* Options are worth everything below the goal, and none is worth the goal. */
    if (frame->goal != MINE_UNKNOWN && frame->sought >= frame->goal)
        facts->value = frame->goal;
    return facts->value != MINE_UNKNOWN;
}

static void pop_frame(struct mine_search *s) {
    const struct frame *frame = &s->stack.frames[--s->stack.count];
    if (!frame->expanded)
        return;
    s->options.count = frame->first_option;
    s->option_parts.count = frame->first_part;
    s->option_parts.word_count = frame->first_word;
}

/* Answer every question on the stack. */
static enum step answer_all(struct mine_search *s, uint64_t *states_left) {
    enum step step = STEP_GO_ON;
    while (step == STEP_GO_ON && s->stack.count != 0) {
        struct frame *frame = &s->stack.frames[s->stack.count - 1];
        if (is_answered(s, frame))
            pop_frame(s);
        else
            step = frame->expanded ? look_at_option(s, frame, states_left) : expand(s, frame, states_left);
    }
    while (s->stack.count != 0)
        pop_frame(s);
    return step;
}

struct mine_search *mine_search_new(uint32_t vertices, uint32_t edges, unsigned shortcuts, struct arena *arena,
                                    struct work *work, struct mine_tally *tally) {
    struct mine_search *s = arena_calloc(arena, 1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->arena = arena;
    s->work = work;
    s->tally = tally;
    return mine_reducer_init(&s->reducer, vertices, edges, shortcuts, tally, arena) &&
                   mine_cluster_init(&s->cluster, vertices, edges, arena) &&
                   mine_cluster_init(&s->expanded, vertices, edges, arena) &&
                   mine_key_scratch_init(&s->key_scratch, vertices, arena) && mine_memo_init(&s->memo, arena)
               ? s
               : NULL;
}

void mine_search_open(struct mine_search *s, const struct mine_cluster *cluster) {
    uint32_t *first_end = s->cluster.first_end;
    struct mine_end *ends = s->cluster.ends;
    s->cluster = *cluster;
    s->cluster.first_end = first_end;
    s->cluster.ends = ends;
    mine_cluster_link(&s->cluster);
}

/* Reduce the position in the reducer, and keep its parts. */
static bool keep_position(struct mine_search *s) {
    s->position.count = s->position.word_count = 0;
    if (!mine_reduce(&s->reducer))
        return false;
    const struct mine_parts *parts = &s->reducer.sum.parts;
    for (size_t p = 0; p < parts->count; p++) {
        const struct mine_part *part = &parts->items[p];
        s->tally->largest = mine_part_pieces(part) > s->tally->largest ? mine_part_pieces(part) : s->tally->largest;
        if (!mine_parts_add(&s->position, part, mine_part_key(parts, part), s->arena))
            return false;
    }
    return true;
}

static enum work_outcome end_step(enum step step, bool *ret_known) {
    *ret_known = step == STEP_GO_ON;
    return step == STEP_NO_MEMORY ? WORK_NO_MEMORY : step == STEP_OUT_OF_WORK ? WORK_EXHAUSTED : WORK_DONE;
}

/* Ask about a part of the position, and answer that. */
static enum work_outcome answer_question(struct mine_search *s, const struct mine_part *part, uint32_t goal,
                                         uint64_t *states_left, bool *ret_known) {
    enum step step = ask(s, &s->position, part, goal, states_left);
    return end_step(step == STEP_GO_ON ? answer_all(s, states_left) : step, ret_known);
}

/* Take the cluster that was opened as the position. */
static enum work_outcome begin_position(struct mine_search *s) {
    if (!work_charge(s->work, 10 + 5 * (2 * (uint64_t)s->cluster.vertices + s->cluster.edges)))
        return WORK_EXHAUSTED;
    mine_reducer_open(&s->reducer, &s->cluster);
    mine_reducer_take(&s->reducer);
    return WORK_DONE;
}

enum work_outcome mine_search_value(struct mine_search *s, uint64_t *states_left, bool *ret_known,
                                    uint32_t *ret_value) {
    enum work_outcome outcome = begin_position(s);
    if (outcome != WORK_DONE)
        return outcome;
    if (!keep_position(s))
        return WORK_NO_MEMORY;
    *ret_known = true;
    *ret_value = s->reducer.sum.value;
    for (size_t p = 0; p < s->position.count && *ret_known; p++) {
        const struct mine_part *part = &s->position.items[p];
        outcome = answer_question(s, part, MINE_UNKNOWN, states_left, ret_known);
        if (outcome != WORK_DONE)
            return outcome;
        if (*ret_known)
            *ret_value ^= look_up(s, &s->position, part)->value;
    }
    return WORK_DONE;
}

enum work_outcome mine_search_equals(struct mine_search *s, enum mine_change what, uint32_t which, uint32_t value,
                                     uint64_t *states_left, bool *ret_known, bool *ret_equal) {
    enum work_outcome outcome = begin_position(s);
    if (outcome != WORK_DONE)
        return outcome;
    mine_reducer_change(&s->reducer, what, which);
    if (!keep_position(s))
        return WORK_NO_MEMORY;
    uint32_t known_value = s->reducer.sum.value;
    *ret_known = true;
    for (;;) {
        struct reading reading = read_sum(s, known_value, &s->position, 0, s->position.count);
        if (reading.unknown == 0 || cannot_be(&reading, value)) {
            *ret_equal = reading.unknown == 0 && reading.value == value;
            return WORK_DONE;
        }
        uint32_t goal = reading.value ^ value;
        bool one = reading.unknown == 1 && goal < MINE_NOTED_VALUES;
        outcome = answer_question(s, one ? reading.largest : reading.smallest, one ? goal : MINE_UNKNOWN, states_left,
                                  ret_known);
        if (outcome != WORK_DONE || !*ret_known)
            return outcome;
    }
}
