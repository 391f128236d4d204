/* The Grundy value of a graph in the deletion game.
 *
 * A position is first reduced by theory (reduce.c). Each part that is left is searched, with a stack of frames and no
 * recursion. A value is the mex of the values of all options, but not all of these are needed: once one option is known
 * to be worth m, the part is not, and its value is the first m that no option has. (Lemoine and Viennot, 'Nimbers are
 * inevitable', arXiv 1011.5841.) So the memo keeps the value of a part once it is known, and until then the values that
 * options are known to have (memo.h). All parts with equal keys share one entry.
 *
 *     frame:   a question         what is this part worth?  or: is it worth the goal?
 *              a value sought     first the goal; when no option has it, 0, 1, 2 and so on up to the goal.
 *                                 If the goal is large: 0, 1, 2 and so on, and the goal when its turn comes
 *              a place            the next of its options to check
 *
 *     stack:   [ is P worth 3? ] [ what is Q worth? ] [ is R worth 1? ]
 *
 * where Q is a part of an option of P, and R a part of an option of Q.
 *
 * The newest frame first reduces its options, once. Options without unknown parts are immediately noted in the memo.
 * The others are kept, cheapest first, and checked one after the other for the value sought. While an option has
 * several unknown parts, the next question is for the value of the smallest. If only one is unknown, the question is
 * whether it has the value with which the option would be worth the value sought. Each question is a frame of its own.
 * When it is answered, the frame is popped, and the answer is in the memo.
 *
 * Both orders are right. A part's value is the first that no option has: so it is not the goal if an option is worth
 * that, or none is worth some smaller value, and otherwise it is. If the goal was sought first, it is the value once
 * there are options with all smaller values. If it is sought in its turn, there are such options by then, but one may
 * still be worth the goal: it is the value only if it, too, is sought in vain. Small parts are rarely worth 7 or more,
 * and the missing value is then found sooner from below: the fields of `script/bench clusters` take 7 % fewer states.
 *
 * A state is a part that is encountered for the first time. Parts of more than SMALL_PIECES pieces cost more time and
 * memory, so they count for several states: one more for every STATE_KEEPS pieces that the memo keeps for the part, and
 * for every CHECK_STATES pieces of its options. The limit on states therefore bounds time and memory for every
 * field. */
#include "mine/search.h"

#include "base/assert.h"
#include "mine/memo.h"
#include "mine/reduce.h"

enum {
    LARGE_GOAL = 7,         /* a goal from here on is sought last ... */
    LARGE_GOAL_PIECES = 60, /* ... for a part of at most this many pieces */
    SMALL_PIECES = 256,     /* pieces: a part of at most this size costs one state, and its options are kept */
    CHECK_STATES = 1024,    /* for a larger part: this many pieces in its options cost a state */
    STATE_KEEPS = 1024,     /* this many pieces kept in the memo cost a state */
};

/* An option of a frame's part: the result of a move. It is worth `value` xored with the values of its parts that were
 * unknown when it was reduced. */
struct option {
    uint32_t value;
    bool kept; /* those parts are kept; if not, the frame's part is large, and the option must be reduced again */
    uint32_t part_count; /* if kept: the number of those parts, which start at first_part in option_parts */
    size_t first_part;
    uint64_t cost; /* an estimate of the cost of valuing them, used only to compare options */
    enum mine_change change;
    uint32_t which;
};

/* The order in which a frame seeks values. */
enum order {
    GOAL_FIRST, /* the goal */
    THEN_BELOW, /* the goal was sought first, and no option is worth it: now the values below it */
    ASCENDING,  /* 0, 1, 2 and so on: there is no goal, or it is sought in its turn */
};

/* A question about a part: see the beginning of this file. */
struct frame {
    uint32_t entry;  /* of the part, in the memo */
    uint32_t goal;   /* the question is whether it is worth this or, if this is MINE_UNKNOWN, what it is worth */
    uint32_t sought; /* the value that its options are being checked for */
    enum order order;
    bool expanded;                    /* its options were reduced, and the following members are written */
    size_t first_option, next_option; /* its options in the search's list, up to those of the next frame */
    size_t first_part, first_word;    /* the lengths of option_parts before this frame */
};

struct mine_search {
    struct arena *arena;
    struct work *work;
    struct mine_reducer reducer;
    struct mine_cluster cluster;  /* the one passed to mine_search_open */
    struct mine_cluster expanded; /* the part whose options are being reduced */
    struct mine_key_scratch key_scratch;
    struct mine_memo memo;
    struct stack {
        struct frame *frames;
        size_t count, capacity;
    } stack;
    /* The options of all frames on the stack, in the order of the frames, and the unknown parts of these options. */
    struct options {
        struct option *items;
        size_t count, capacity;
    } options;
    struct mine_parts option_parts;
    struct mine_parts position; /* the parts of the position that the caller asks about */
    uint64_t pieces_seen;       /* pieces visited since the last state was charged for them */
};

/* The steps of a search below return OUTCOME_TOO_LARGE if too few states are left. */

/* Find the facts about a part. Returns NULL if it has no entry. */
static const struct mine_facts *facts_of(const struct mine_search *s, const struct mine_parts *parts,
                                         const struct mine_part *part) {
    uint32_t entry = mine_memo_find(&s->memo, parts, part);
    return entry != MINE_NO_ENTRY ? &s->memo.facts[entry] : NULL;
}

/* Take states from *states_left. Returns false, with nothing taken, if there are too few. */
static bool pay_states(struct mine_search *s, uint64_t states, uint64_t *states_left) {
    if (states > *states_left)
        return false;
    *states_left -= states;
    s->work->statistics.states += states;
    return true;
}

/* Push a question about a part: is it worth `goal` or, if that is MINE_UNKNOWN, what is its value? A part without an
 * entry in the memo gets one, which is charged. */
static enum outcome ask_part(struct mine_search *s, const struct mine_parts *parts, const struct mine_part *part,
                             uint32_t goal, uint64_t *states_left) {
    uint32_t entry = mine_memo_find(&s->memo, parts, part);
    if (entry == MINE_NO_ENTRY) {
        if (!pay_states(s, 1 + mine_part_pieces(part) / STATE_KEEPS, states_left))
            return OUTCOME_TOO_LARGE;
        entry = (uint32_t)s->memo.count;
        if (!mine_memo_add(&s->memo, parts, part, s->arena))
            return OUTCOME_NO_MEMORY;
    }
    struct stack *stack = &s->stack;
    struct frame *frames =
        arena_extend(s->arena, stack->frames, stack->count, stack->count + 1, &stack->capacity, sizeof *frames);
    if (frames == NULL)
        return OUTCOME_NO_MEMORY;
    bool ascending = goal == MINE_UNKNOWN || (goal >= LARGE_GOAL && mine_part_pieces(part) <= LARGE_GOAL_PIECES);
    stack->frames = frames;
    stack->frames[stack->count++] = (struct frame){
        .entry = entry, .goal = goal, .sought = ascending ? 0 : goal, .order = ascending ? ASCENDING : GOAL_FIRST};
    return OUTCOME_DONE;
}

/* A sum of parts, worth `value` xor the values of the unknown parts. */
struct partial_sum {
    uint32_t value;
    uint32_t unknown;                 /* the number of unknown parts */
    const struct mine_part *first;    /* the first of these; NULL if there are none */
    const struct mine_part *smallest; /* the smallest of these */
    const struct mine_facts *facts;   /* about that part; NULL if it has no entry */
};

/* Add `value` and `count` parts from number `first` on. */
static struct partial_sum add_parts(const struct mine_search *s, uint32_t value, const struct mine_parts *parts,
                                    size_t first, size_t count) {
    struct partial_sum sum = {.value = value};
    for (size_t p = first; p < first + count; p++) {
        const struct mine_part *part = &parts->items[p];
        const struct mine_facts *facts = facts_of(s, parts, part);
        if (facts != NULL && facts->value != MINE_UNKNOWN) {
            sum.value ^= facts->value;
            continue;
        }
        if (sum.unknown++ == 0)
            sum.first = part;
        if (sum.smallest == NULL || mine_part_pieces(part) < mine_part_pieces(sum.smallest)) {
            sum.smallest = part;
            sum.facts = facts;
        }
    }
    return sum;
}

/* Is a sum known not to be worth m, although the value of one part is unknown? */
static bool cannot_be(const struct partial_sum *sum, uint32_t m) {
    return sum->unknown == 1 && sum->facts != NULL && mine_facts_exclude(sum->facts, sum->value ^ m);
}

/* Push the next question needed to decide whether a sum with unknown parts is worth m: if there are several, what the
 * smallest is worth; if there is only one, whether it has the missing value. */
static enum outcome ask_about_sum(struct mine_search *s, const struct mine_parts *parts, const struct partial_sum *sum,
                                  uint32_t m, uint64_t *states_left) {
    uint32_t goal = sum->value ^ m;
    return ask_part(s, parts, sum->smallest, sum->unknown == 1 && goal < MINE_NOTED_VALUES ? goal : MINE_UNKNOWN,
                    states_left);
}

/* Add the option in the reducer, which results from this kind of move on piece `which`, to those of the newest frame.
 * Returns false if memory is exhausted. */
static bool push_option(struct mine_search *s, enum mine_change change, uint32_t which) {
    struct options *options = &s->options;
    const struct mine_parts *parts = &s->reducer.sum.parts;
    struct option *items =
        arena_extend(s->arena, options->items, options->count, options->count + 1, &options->capacity, sizeof *items);
    if (items == NULL)
        return false;
    options->items = items;
    struct option option = {s->reducer.sum.value, true, 0, s->option_parts.count, 0, change, which};
    uint32_t pieces = 0, largest = 0;
    bool keeps = 2 * (size_t)s->expanded.vertices + s->expanded.edges <= SMALL_PIECES;
    for (size_t p = 0; p < parts->count; p++) {
        const struct mine_part *part = &parts->items[p];
        const struct mine_facts *facts = facts_of(s, parts, part);
        if (facts != NULL && facts->value != MINE_UNKNOWN) {
            option.value ^= facts->value;
            continue;
        }
        option.kept = keeps;
        if (!keeps)
            continue;
        if (!mine_parts_add(&s->option_parts, part, mine_part_key(parts, part), s->arena))
            return false;
        option.part_count++;
        pieces += mine_part_pieces(part);
        largest = mine_part_pieces(part) > largest ? mine_part_pieces(part) : largest;
    }
    option.cost = (uint64_t)largest << 32 | pieces;
    options->items[options->count++] = option;
    return true;
}

/* Reduce the position in the reducer, an option of the frame's part. If its value is known and can be noted, note it;
 * otherwise keep the option. */
static enum outcome take_option(struct mine_search *s, const struct frame *frame, enum mine_change change,
                                uint32_t which) {
    if (!mine_reduce(&s->reducer) || !push_option(s, change, which))
        return OUTCOME_NO_MEMORY;
    const struct option *option = &s->options.items[s->options.count - 1];
    if (option->kept && option->part_count == 0 && option->value < MINE_NOTED_VALUES) {
        mine_memo_note(&s->memo, frame->entry, option->value);
        s->options.count--;
    }
    return OUTCOME_DONE;
}

/* Load the option that results from a move on the expanded part into the reducer, and charge for its reduction. */
static enum outcome make_option(struct mine_search *s, enum mine_change change, uint32_t which, uint64_t *states_left) {
    uint64_t pieces = 2 * (uint64_t)s->expanded.vertices + s->expanded.edges;
    if (!work_charge(s->work, 5 + pieces))
        return work_failure(s->work);
    s->pieces_seen += pieces > SMALL_PIECES ? pieces : 0;
    if (!pay_states(s, s->pieces_seen / CHECK_STATES, states_left))
        return OUTCOME_TOO_LARGE;
    s->pieces_seen %= CHECK_STATES;
    mine_reducer_take(&s->reducer);
    mine_reducer_change(&s->reducer, change, which);
    return OUTCOME_DONE;
}

/* Load a frame's part into the reducer. It becomes the expanded part. */
static void open_part(struct mine_search *s, const struct frame *frame) {
    mine_key_decode(s->memo.words + s->memo.facts[frame->entry].key, &s->key_scratch, &s->expanded);
    mine_reducer_open(&s->reducer, &s->expanded);
}

/* Sort a frame's options by cost, cheapest first. The number of states that a part takes doubles with about every three
 * pieces, so a sum takes hardly more states than its largest part; the other parts break ties. With options ordered by
 * the pieces of all parts, random fields take as many states, but the winner of a part of 81 pieces (from a 300 x 300
 * field with 11 % mines) is not found in 400,000. Unsorted, random fields take 1.4 to 2.6 times as many (100 x 100 with
 * 10 to 12 % mines, 300 x 300 with 8 and 13 %, 1000 x 1000 with 7 and 8 %). */
static void order_options(struct mine_search *s, const struct frame *frame) {
    size_t count = s->options.count - frame->first_option;
    if (count == 0) /* the array may be NULL */
        return;
    struct option *items = s->options.items + frame->first_option;
    for (size_t k = 0; k < count; k++) {
        struct option option = items[k];
        size_t at = k;
        for (; at > 0 && items[at - 1].cost > option.cost; at--)
            items[at] = items[at - 1];
        items[at] = option;
    }
}

/* Reduce the options that result from one kind of move, until one is known to be worth the goal. */
static enum outcome reduce_options(struct mine_search *s, const struct frame *frame, enum mine_change change,
                                   uint64_t *states_left) {
    const struct mine_facts *facts = &s->memo.facts[frame->entry];
    const struct mine_cluster *part = &s->expanded;
    uint32_t count = change == MINE_TOGGLE_EDGE ? part->edges : part->vertices;
    for (uint32_t which = 0; which < count && !mine_facts_exclude(facts, frame->goal); which++) {
        if (change == MINE_TOGGLE_LOOP && !part->loop[which])
            continue;
        enum outcome outcome = make_option(s, change, which, states_left);
        if (outcome == OUTCOME_DONE)
            outcome = take_option(s, frame, change, which);
        if (outcome != OUTCOME_DONE)
            return outcome;
    }
    return OUTCOME_DONE;
}

/* Reduce all options of the newest frame, until one is known to be worth the goal, and sort them. */
static enum outcome expand(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    enum outcome outcome = OUTCOME_DONE;
    frame->first_option = frame->next_option = s->options.count;
    frame->first_part = s->option_parts.count;
    frame->first_word = s->option_parts.word_count;
    frame->expanded = true;
    open_part(s, frame);
    for (enum mine_change change = MINE_TAKE_VERTEX; change <= MINE_TOGGLE_EDGE && outcome == OUTCOME_DONE; change++)
        outcome = reduce_options(s, frame, change, states_left);
    order_options(s, frame);
    return outcome;
}

/* Seek another value, starting at the first option. */
static void seek(struct frame *frame, uint32_t value) {
    frame->sought = value;
    frame->next_option = frame->first_option;
}

/* All options were checked, and none is worth the value sought. If there are options with all smaller values, it is the
 * part's value. If it was the goal, the smaller values are sought next. */
static void conclude(struct mine_search *s, struct frame *frame) {
    ASSERT(s->memo.facts[frame->entry].value == MINE_UNKNOWN &&
           !mine_facts_exclude(&s->memo.facts[frame->entry], frame->sought));
    if (frame->order != GOAL_FIRST)
        s->memo.facts[frame->entry].value = frame->sought;
    else
        frame->order = THEN_BELOW;
    seek(frame, 0);
}

/* Add up an option of the newest frame. *ret_parts is the list of its parts. */
static enum outcome add_option(struct mine_search *s, const struct frame *frame, const struct option *option,
                               uint64_t *states_left, const struct mine_parts **ret_parts,
                               struct partial_sum *ret_sum) {
    if (option->kept) {
        *ret_parts = &s->option_parts;
        *ret_sum = add_parts(s, option->value, *ret_parts, option->first_part, option->part_count);
        return OUTCOME_DONE;
    }
    open_part(s, frame);
    enum outcome outcome = make_option(s, option->change, option->which, states_left);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (!mine_reduce(&s->reducer))
        return OUTCOME_NO_MEMORY;
    *ret_parts = &s->reducer.sum.parts;
    *ret_sum = add_parts(s, s->reducer.sum.value, *ret_parts, 0, (*ret_parts)->count);
    return OUTCOME_DONE;
}

/* Check the next option of the newest frame: is it worth the value sought? If that is not known, push a question. */
static enum outcome check_option(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    ASSERT(frame->first_option <= frame->next_option && frame->next_option <= s->options.count);
    if (frame->next_option == s->options.count) {
        conclude(s, frame);
        return OUTCOME_DONE;
    }
    const struct mine_parts *parts;
    struct partial_sum sum;
    enum outcome outcome = add_option(s, frame, &s->options.items[frame->next_option], states_left, &parts, &sum);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (sum.unknown != 0 && !cannot_be(&sum, frame->sought))
        return ask_about_sum(s, parts, &sum, frame->sought, states_left);
    frame->next_option++;
    if (sum.unknown != 0)
        return OUTCOME_DONE;
    mine_memo_note(&s->memo, frame->entry, sum.value);
    /* is_answered does not know about values that cannot be noted. */
    if (sum.value == frame->sought && frame->sought >= MINE_NOTED_VALUES)
        seek(frame, frame->sought + 1);
    return OUTCOME_DONE;
}

/* Do the known facts answer the frame's question? If not, skip values that options are known to have. */
static bool is_answered(struct mine_search *s, struct frame *frame) {
    struct mine_facts *facts = &s->memo.facts[frame->entry];
    if (facts->value != MINE_UNKNOWN || mine_facts_exclude(facts, frame->goal))
        return true;
    if (frame->order == GOAL_FIRST)
        return false;
    while (mine_facts_exclude(facts, frame->sought))
        seek(frame, frame->sought + 1);
    /* There are options with all values below the goal, and none with the goal. */
    if (frame->order == THEN_BELOW && frame->sought >= frame->goal)
        facts->value = frame->goal;
    return facts->value != MINE_UNKNOWN;
}

/* Pop the newest frame, with its options. */
static void pop_frame(struct mine_search *s) {
    const struct frame *frame = &s->stack.frames[--s->stack.count];
    if (!frame->expanded)
        return;
    ASSERT(frame->first_option <= s->options.count && frame->first_part <= s->option_parts.count);
    s->options.count = frame->first_option;
    s->option_parts.count = frame->first_part;
    s->option_parts.word_count = frame->first_word;
}

/* Answer all questions on the stack, newest first, until it is empty. On failure, the rest is dropped. */
static enum outcome answer_all(struct mine_search *s, uint64_t *states_left) {
    enum outcome outcome = OUTCOME_DONE;
    while (outcome == OUTCOME_DONE && s->stack.count != 0) {
        struct frame *frame = &s->stack.frames[s->stack.count - 1];
        if (is_answered(s, frame))
            pop_frame(s);
        else
            outcome = frame->expanded ? check_option(s, frame, states_left) : expand(s, frame, states_left);
    }
    while (s->stack.count != 0)
        pop_frame(s);
    ASSERT(s->options.count == 0 && s->option_parts.count == 0 && s->option_parts.word_count == 0);
    return outcome;
}

struct mine_search *mine_search_new(uint32_t vertices, uint32_t edges, unsigned shortcuts, struct arena *arena,
                                    struct work *work) {
    struct mine_search *s = arena_calloc(arena, 1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->arena = arena;
    s->work = work;
    return mine_reducer_init(&s->reducer, vertices, edges, shortcuts, arena) &&
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

enum outcome mine_search_solve(struct mine_search *s, const struct mine_move *move, uint32_t goal,
                               uint64_t *states_left, uint32_t *ret_value) {
    if (!work_charge(s->work, 10 + 5 * (2 * (uint64_t)s->cluster.vertices + s->cluster.edges)))
        return work_failure(s->work);
    mine_reducer_open(&s->reducer, &s->cluster);
    mine_reducer_take(&s->reducer);
    if (move != NULL)
        mine_reducer_change(&s->reducer, move->change, move->which);
    if (!mine_reduce(&s->reducer))
        return OUTCOME_NO_MEMORY;
    uint32_t known_value = s->reducer.sum.value;
    /* The reducer is needed for other positions, so the parts are taken out of it. */
    struct mine_parts parts = s->reducer.sum.parts;
    s->reducer.sum.parts = s->position;
    s->position = parts;
    for (;;) {
        struct partial_sum sum = add_parts(s, known_value, &s->position, 0, s->position.count);
        if (sum.unknown == 0 || cannot_be(&sum, goal)) {
            *ret_value = sum.unknown == 0 ? sum.value : MINE_UNKNOWN;
            return OUTCOME_DONE;
        }
        enum outcome outcome = goal == MINE_UNKNOWN ? ask_part(s, &s->position, sum.first, goal, states_left)
                                                    : ask_about_sum(s, &s->position, &sum, goal, states_left);
        if (outcome == OUTCOME_DONE)
            outcome = answer_all(s, states_left);
        if (outcome != OUTCOME_DONE)
            return outcome;
    }
}
