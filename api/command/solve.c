/* One thread reads files, pushes bodies to the queue and writes answers, whichever is possible first:
 *
 *     files --input--> body --admit--> job --answers--> workers
 *                                                          |
 *     standard output <--------- in the order of the bodies
 *
 * For each file a request head is created, and admitted like one that came over HTTP, so that the contract of POST
 * applies here, too. The thread does not read while it writes, so a slow reader of standard output slows down
 * reading. */
#include "api/command/solve.h"

#include "api/api.h"
#include "api/command/answers.h"
#include "api/command/files.h"
#include "api/command/input.h"
#include "api/command/message.h"
#include "api/command/options.h"
#include "api/command/output.h"
#include "api/command/progress.h"
#include "api/command/start.h"
#include "api/command/target.h"
#include "api/game/formats.h"
#include "api/job/source.h"
#include "base/assert.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MAX_INCLUDE = 240, INCLUDE_BYTES = 2 * MAX_INCLUDE + 4 };

enum { SOLVE_DONE = 0, SOLVE_FAILED = 1, SOLVE_BAD_USAGE = 2, SOLVE_REFUSED = 3 };

/* The same with --to lint. */
enum { LINT_FOUND = 1, LINT_FAILED = 3 };

struct solving {
    const struct options *options;
    const struct game *game;
    char *const *operands; /* [operand_count] */
    size_t operand_count;
    struct files files;
    size_t next_file;
    uint64_t bytes; /* bytes of the files that have been closed */
    struct account account;
    struct service *service;
    struct progress progress;
    struct output output;
    struct answers answers;
    struct input input; /* the file being read */
    bool open;          /* there is such a file */
    bool admitted;      /* its format is known, and it was admitted */
    bool may_lead;      /* it is not known yet whether its first line is a case of its own */
    struct admission admission;
    bool bad_usage;
    bool has_case;               /* --case is still to be read */
    char include[INCLUDE_BYTES]; /* --include as a JSON array; empty if it was not given */
};

/* ---- options and operands ---- */

/* An option for records; a Go case in JSON has a member instead. */
#define ONLY_FOR_RECORDS(name, variable, member)                                                                       \
    {                                                                                                                  \
#name, variable, "--" #name " is only for SGF records; a Go case in JSON has \"" member "\" instead",          \
            offsetof(struct options, name)                                                                             \
    }

/* The options that correspond to query parameters. `wrong` is the message if the format takes no parameters; NULL: it
 * is allowed all the same. */
static const struct {
    const char *name, *variable, *wrong;
    size_t offset; /* the offset in struct options */
} parameters[] = {
    {"game", "ARBITER_GAME", "--game is only for SGF records", offsetof(struct options, game)},
    ONLY_FOR_RECORDS(ko, "ARBITER_KO", "rules"),
    ONLY_FOR_RECORDS(suicide, "ARBITER_SUICIDE", "rules"),
    ONLY_FOR_RECORDS(scoring, "ARBITER_SCORING", "rules"),
    ONLY_FOR_RECORDS(repetition, "ARBITER_REPETITION", "rules"),
    ONLY_FOR_RECORDS(komi, "ARBITER_KOMI", "komi"),
    ONLY_FOR_RECORDS(next, "ARBITER_NEXT", "next"),
    ONLY_FOR_RECORDS(dead, "ARBITER_DEAD", "dead"),
    ONLY_FOR_RECORDS(seki, "ARBITER_SEKI", "seki"),
    {"include", "ARBITER_INCLUDE", NULL, offsetof(struct options, include)},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

/* The option's value, or NULL if it was not given. */
static const char *parameter_value(const struct options *options, size_t p) {
    return *(const char *const *)((const char *)options + parameters[p].offset);
}

/* Are there parts for cases in every format? The variable is only for records, as it was in 1.0, and may name parts
 * that other games do not have. */
static bool is_for_every_format(const struct options *options) {
    return options->include != NULL && options->include != getenv("ARBITER_INCLUDE");
}

/* The format of a file, as far as it follows from the options and the file name. */
static enum format format_as_typed(const struct options *options, const char *name) {
    return options->from != FORMAT_NONE ? options->from : format_of_name(name);
}

/* Find an option that is not allowed with a file of this format (FORMAT_NONE: unknown). Returns a message, or NULL if
 * all are allowed. A variable that is a parameter is allowed, because it may be meant for other files. */
static const char *find_misuse(const struct solving *solving, enum format format) {
    const struct options *options = solving->options;
    enum format to = options->to == FORMAT_NONE && format != FORMAT_NONE ? format_table[format].answer : options->to;
    if (options->to == FORMAT_LINT && !format_is_of(FORMAT_SGF, solving->game))
        return "--to lint checks records of Go; use it with arbiter solve go";
    if (options->to == FORMAT_LINT && format != FORMAT_SGF && format != FORMAT_NONE)
        return "--to lint checks SGF records, and this is not one; use --to json";
    if (options->to == FORMAT_LINT && is_for_every_format(options) && strcmp(options->include, "variations") != 0)
        return "with --to lint, --include can only be variations";
    if (options->to == FORMAT_LINT && (options->dead != NULL || options->seki != NULL))
        return "--to lint checks every game of a record; --dead and --seki are about one";
    if (options->with_file && to != FORMAT_NONE && !format_table[to].has_objects)
        return "--with-file needs answers in JSON; use --to json or --to ndjson";
    if (format == FORMAT_DRAWING && !format_is_of(format, solving->game))
        return "this game has no drawings; use --from json, --from ndjson, --from text or --from sgf";
    bool takes = format == FORMAT_NONE ? solving->game->parameters != NULL
                                       : format_is_of(format, solving->game) && format_table[format].takes_parameters;
    if (is_for_every_format(options) && !takes && to == FORMAT_TEXT)
        return "--include needs answers in JSON; use --to json or --to ndjson";
    for (size_t p = 0; p < PARAMETERS && !takes; p++) {
        const char *value = parameter_value(options, p);
        if (value != NULL && parameters[p].wrong != NULL && value != getenv(parameters[p].variable))
            return parameters[p].wrong;
    }
    return NULL;
}

/* Write --include as a JSON array. Words that the game does not know are refused when the array is read. Prints a
 * message and returns false if they cannot be words. */
static bool write_include(const char *words, char ret_include[INCLUDE_BYTES]) {
    bool good = strlen(words) <= MAX_INCLUDE;
    size_t used = 0;
    for (const char *word = words; good && *word != 0; word += strspn(word, ", ")) {
        size_t length = 0;
        while (isalnum((unsigned char)word[length]) || word[length] == '_' || word[length] == '-')
            length++;
        good = length != 0;
        used += (size_t)snprintf(ret_include + used, INCLUDE_BYTES - used, "%c\"%.*s\"", used == 0 ? '[' : ',',
                                 (int)length, word);
        word += length;
    }
    memcpy(ret_include + used, "]", 2);
    if (!good)
        message_print("--include is \"%s\"; it must be words separated by commas, of at most %d characters", words,
                      MAX_INCLUDE);
    return good;
}

/*
 * Find the game, and check that options and operands are consistent. Prints a message and returns false if they are
 * not.
 */
static bool check_usage(struct solving *solving, int count, char **arguments) {
    const struct options *options = solving->options;
    static char *const standard_input[] = {"-"};
    solving->game = options_game("solve", options, arguments);
    if (solving->game == NULL)
        return false;
    solving->has_case = options->text_of_case != NULL;
    solving->operands = count > 1 ? arguments + 1 : standard_input;
    solving->operand_count = count > 1 ? (size_t)count - 1 : solving->has_case ? 0 : 1;
    for (size_t f = 0; f < solving->operand_count; f++) {
        const char *misuse = find_misuse(solving, format_as_typed(options, solving->operands[f]));
        if (misuse != NULL) {
            message_print("%s: %s", solving->operands[f], misuse);
            return false;
        }
    }
    return !is_for_every_format(options) || write_include(options->include, solving->include);
}

/* ---- files ---- */

/* Open the next file. Returns false if there is none. */
static bool open_next(struct solving *solving) {
    if (!solving->open && solving->has_case) {
        solving->has_case = false;
        solving->admitted = false;
        solving->open = true;
        input_open_text(&solving->input, "--case", (char *)solving->options->text_of_case, &solving->account);
    }
    while (!solving->open && solving->next_file < solving->files.count) {
        const char *name = solving->files.names[solving->next_file++];
        solving->open = input_open(&solving->input, name, &solving->account);
        solving->admitted = false;
        if (solving->open)
            return true;
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread calls strerror, and glibc's is safe since 2.32 */
        const char *reason = strerror(errno);
        if (errno == ENOENT && strchr("{[\"", *name) != NULL)
            reason = "there is no such file; to solve a case without a file, use --case";
        if (errno == EISDIR && format_is_of(FORMAT_SGF, solving->game) && strcmp(name, "-") != 0)
            reason = "this directory has no records, which are files with names that end in .sgf";
        answers_push_failure(&solving->answers, name, reason);
    }
    return solving->open;
}

static void close_input(struct solving *solving) {
    solving->bytes += solving->input.size;
    input_close(&solving->input);
    solving->open = false;
}

/* Append the query. All bytes of values except letters and digits are percent-encoded. */
static void put_query(struct buffer *target, const struct options *options) {
    char before = '?';
    for (size_t p = 0; p < PARAMETERS; p++) {
        const char *value = parameter_value(options, p);
        if (value == NULL && options->to == FORMAT_LINT && parameters[p].offset == offsetof(struct options, game))
            value = "all";
        if (value == NULL)
            continue;
        buffer_printf(target, "%c%s=", before, parameters[p].name);
        for (; *value != 0; value++)
            buffer_printf(target, "%%%02X", (unsigned char)*value);
        before = '&';
    }
}

/* Create the head of a request whose body has this format, and admit it. `to` is the format of the answer; FORMAT_NONE
 * lets the service choose. */
static enum admit_action ask(struct solving *solving, enum format format, enum format to,
                             struct response *ret_response) {
    struct buffer target, unused;
    buffer_init(&target, SIZE_MAX, NULL);
    buffer_put_string(&target, solving->game->path);
    if (format_table[format].takes_parameters)
        put_query(&target, solving->options);
    buffer_put_char(&target, 0);
    const struct header headers[] = {
        {"Host", "localhost"},
        {"Content-Type", format_type(format)},
        {"Accept", to != FORMAT_NONE && to != FORMAT_LINT ? format_table[to].types[0] : ""}};
    enum admit_action action = ADMIT_ANSWER;
    if (target.outcome == OUTCOME_DONE)
        action =
            admit(solving->service,
                  &(struct request_head){"POST", target.data, "HTTP/1.1", headers, sizeof headers / sizeof *headers},
                  &solving->admission, ret_response, &unused);
    else
        problem_respond(PROBLEM_OVERLOADED, &(struct response_cors){0}, ret_response, "out of memory");
    buffer_clear(&target);
    return action;
}

/* Admit the file as a request with a body of this format. Returns false if it is refused. */
static bool admit_as(struct solving *solving, enum format format, enum format to) {
    struct response response = {0};
    if (ask(solving, format, to, &response) == ADMIT_READ_BODY) {
        struct admission *admission = &solving->admission;
        if (admission->body != format) /* the media type belongs to a vague format */
            admission->answer = admission->answer_if_detected;
        admission->body = format;
        admission->answer_if_detected = FORMAT_NONE; /* the format of a file is known */
        if (to == FORMAT_LINT)
            admission->answer = FORMAT_LINT;
        return true;
    }
    answers_push_refusal(&solving->answers, solving->input.name, &response);
    close_input(solving);
    return false;
}

/* Detect the format of the file and admit it. Returns false if more must be read first, or if it is refused. */
static bool admit_input(struct solving *solving) {
    struct input *input = &solving->input;
    enum format typed = format_as_typed(solving->options, input->name), format = typed, found;
    /* Names like boards.txt and game.json do not tell everything, either. */
    if (typed == FORMAT_NONE || (solving->options->from == FORMAT_NONE && format_table[typed].is_vague)) {
        if (!input_find_format(input, solving->game, &found))
            return false;
        if (typed == FORMAT_NONE || (found != FORMAT_NONE && format_table[found].is_detected))
            format = found;
    }
    if (format == FORMAT_NONE) /* the file is empty: it will be refused, in a format that every route has */
        format = solving->options->to == FORMAT_LINT ? FORMAT_SGF
                 : solving->options->with_file       ? FORMAT_JSON
                                                     : FORMAT_TEXT;
    const char *misuse = find_misuse(solving, format);
    if (misuse != NULL) {
        answers_push_failure(&solving->answers, input->name, misuse);
        solving->bad_usage = true;
        solving->next_file = solving->files.count;
        close_input(solving);
        return false;
    }
    if (!admit_as(solving, format, solving->options->to))
        return false;
    const struct admission *admission = &solving->admission;
    input->in_slices = format_table[format].is_in_lines && admission->answer == FORMAT_LINES;
    solving->may_lead =
        format != typed && source_table[format]->is_case != NULL && format_table[admission->answer].has_objects;
    solving->admitted = true;
    return true;
}

/* The format was guessed from the first byte. Find out whether the first line is a case of its own. If so, it is
 * answered when the line ends, and the rest of the file is read as lines. So a program that writes a case and waits for
 * its answer does not have to specify the format ndjson. Returns false while the line has not ended. */
static bool find_first_line(struct solving *solving) {
    struct input_line line;
    if (!input_find_line(&solving->input, &line))
        return false;
    solving->may_lead = false;
    solving->input.leads = line.length != 0 && source_table[solving->admission.body]->is_case(line.bytes, line.length);
    return true;
}

/* The account has no memory for the file. */
static void refuse_large(struct solving *solving) {
    struct response response = {0};
    const struct input *input = &solving->input;
    const struct memory_limits *limits = limits_of(&solving->options->limits, &memory_limits);
    problem_respond(PROBLEM_OVERLOADED, &(struct response_cors){0}, &response,
                    input->leads || input->in_slices
                        ? "a line is too long; max_inflight_bytes is %llu"
                        : "the input is too large; max_inflight_bytes is %llu (read it from a regular file, or use "
                          "--from ndjson if it has one case per line)",
                    (unsigned long long)limits->max_inflight_bytes);
    answers_push_refusal(&solving->answers, input->name, &response);
    close_input(solving);
}

/* Read whatever has arrived. */
static void read_input(struct solving *solving) {
    if (input_read(&solving->input))
        return;
    if (errno == ENOBUFS) {
        refuse_large(solving);
        return;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): as above */
    answers_push_failure(&solving->answers, solving->input.name, strerror(errno));
    close_input(solving);
}

/* Push what was read, as long as the queue has room. */
static void push(struct solving *solving) {
    struct input_body body;
    while (answers_have_space(&solving->answers) && open_next(solving)) {
        if (!solving->admitted && !admit_input(solving) && solving->open)
            return;
        if (!solving->open)
            continue;
        if (solving->may_lead && !find_first_line(solving))
            return;
        bool leads = solving->input.leads;
        if (input_next(&solving->input, &body)) {
            answers_push(&solving->answers, solving->input.name, &solving->admission, &body);
            if (leads && !admit_as(solving, source_table[solving->admission.body]->lines, FORMAT_LINES))
                continue;
        } else if (errno == ENOBUFS) {
            refuse_large(solving);
        } else if (!solving->input.over) {
            return;
        }
        if (solving->open && solving->input.over)
            close_input(solving);
    }
}

/* ---- waiting ---- */

/* Show the progress. The total is unknown if some files have not been opened yet or are pipes. */
static void show_progress(struct solving *solving) {
    if (progress_pause(&solving->progress) != 0)
        return;
    struct progress_state state = answers_progress(&solving->answers);
    bool known = solving->next_file == solving->files.count && (!solving->open || solving->input.ended);
    state.all = known ? solving->bytes + (solving->open ? solving->input.size : 0) : 0;
    progress_show(&solving->progress, &state);
}

/* Wait until there is something to read or write, or until the progress line is due. Returns false if the reader of the
 * output has closed it. */
static bool wait_for_more(struct solving *solving) {
    struct answers *answers = &solving->answers;
    bool reads = solving->open && !solving->input.ended && answers_have_space(answers) &&
                 (input_has_space(&solving->input) || answers->count == 0);
    struct pollfd ready[] = {{.fd = answers->wake, .events = POLLIN},
                             {.fd = STDOUT_FILENO},
                             {.fd = reads ? solving->input.descriptor : -1, .events = POLLIN}};
    eventfd_t unused;
    poll(ready, 3, progress_pause(&solving->progress));
    eventfd_read(answers->wake, &unused);
    if (ready[1].revents & (POLLERR | POLLHUP)) /* for a pipe and for a socket, respectively */
        return false;
    if (ready[2].revents != 0)
        read_input(solving);
    return true;
}

/* Answer all files. */
static void answer_files(struct solving *solving) {
    struct answers *answers = &solving->answers;
    for (;;) {
        push(solving);
        bool wrote = answers_write(answers);
        show_progress(solving);
        if (solving->output.error != 0)
            return;
        if (wrote)
            continue;
        if (answers->count == 0 && !solving->open && !solving->has_case && solving->next_file == solving->files.count)
            return;
        if (!wait_for_more(solving)) {
            solving->output.error = EPIPE;
            return;
        }
    }
}

/* ---- beginning and end ---- */

/* Handles SIGBUS: a mapped file has become shorter, and the rest cannot be read. */
static void on_lost_file(int number) {
    static const char text[] = "arbiter: a file was truncated while it was being read\n";
    ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number, (void)unused;
    _exit(SOLVE_FAILED);
}

static int status_of(struct solving *solving) {
    struct output *output = &solving->output;
    /* Some file systems report an error only here. */
    if (output->error == 0 && close(STDOUT_FILENO) != 0)
        output->error = errno;
    /* The reader has gone. For a socket whose reader has left bytes unread, the error is ECONNRESET. */
    bool gone = output->error == EPIPE || output->error == ECONNRESET;
    if (output->error != 0 && !gone)
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): as above */
        output_message(output, "standard output", strerror(output->error));
    if (solving->bad_usage)
        return SOLVE_BAD_USAGE;
    if (output->is_lint && (output->error != 0 || solving->answers.failed || solving->answers.refused))
        return LINT_FAILED;
    if (output->is_lint)
        return output->has_written ? LINT_FOUND : SOLVE_DONE;
    if (output->error != 0 || solving->answers.failed)
        return SOLVE_FAILED;
    return solving->answers.refused ? SOLVE_REFUSED : SOLVE_DONE;
}

/* The status if something fails that is not a case. */
static int failure(const struct options *options) {
    return options->to == FORMAT_LINT ? (int)LINT_FAILED : (int)SOLVE_FAILED;
}

static int run(struct solving *solving) {
    const struct options *options = solving->options;
    struct sigaction lost = {.sa_handler = on_lost_file};
    signal(SIGPIPE, SIG_IGN);
    sigaction(SIGBUS, &lost, NULL);
    solving->service =
        start_service(options, &solving->account, true, *solving->include != 0 ? solving->include : NULL);
    struct queue_config config = start_workers(options, &solving->account);
    size_t max = 2 * (config.workers + config.long_workers); /* enough to keep all workers busy while one job is long */
    config.max_wait = UINT64_MAX;                            /* no request is refused because it has waited too long
                                                              * ... */
    config.limit = max; /* ... or because too many are waiting, whatever --queue says: `max` limits them */
    struct queue *queue = solving->service != NULL ? queue_start(&config) : NULL;
    int status = failure(options);
    if (queue != NULL &&
        files_find(&solving->files, solving->operands, solving->operand_count,
                   format_is_of(FORMAT_SGF, solving->game)) &&
        answers_init(&solving->answers, solving->service, queue, &solving->output, max)) {
        progress_begin(&solving->progress, options->progress);
        answer_files(solving);
        progress_wipe(&solving->progress);
        answers_clear(&solving->answers);
        if (solving->open)
            close_input(solving);
        status = status_of(solving);
    } else {
        fputs("arbiter: cannot start: not enough memory, or too many threads or open files\n", stderr);
    }
    queue_free(queue);
    service_free(solving->service);
    files_clear(&solving->files);
    return status;
}

void solve_print_help(void) {
    struct option_text text;
    printf("Usage: arbiter solve GAME [--OPTION VALUE]... [FILE]...\n\n"
           "Solve files without a server. GAME is pawn, go or mine. Each FILE is treated like the body of a POST to\n"
           "/GAME on a server. With go, it can be a directory, whose .sgf files are read, recursively. Answers go to\n"
           "standard output, in the order of the files. Problems go to standard error, one JSON object per line, each\n"
           "with the name of its file in \"file\". If FILE is -, or if there is neither a FILE nor a --case, arbiter\n"
           "reads standard input.\n\n"
           "With ndjson, each line is answered as soon as it arrives, and the problem of a case is a line among the\n"
           "answers. If neither --from nor the file name gives the format and the first line is a complete case, the\n"
           "input is read as ndjson if the answers are JSON.\n\nOptions:\n");
    for (size_t i = 0; options_describe(NULL, OPTIONS_SOLVE, &i, &text);)
        if (!text.is_of_server)
            printf("  %-25s %s [%s]\n", text.name, text.meaning, text.value);
    printf(
        "  %-25s show this help and exit\n  %-25s treat all following arguments as files\n\n"
        "You can also set options as environment variables; for example, ARBITER_MAX_CASES sets --max-cases.\n\n"
        "Exit status: 0 if all cases were answered, 3 if a case was refused or an output format isn't available, 2\n"
        "for incorrect usage, and 1 for any other error.\n\n"
        "--to lint checks records of Go: for each illegal move or error it prints a line FILE:LINE:COLUMN: FINDING.\n"
        "All games of a file are checked unless --game names one, and all their lines with --include variations. The\n"
        "exit status is 1 if there is a finding, and 3 if a file can't be opened.\n",
        "--help", "--");
}

/* All answers have been written: finish the file of --output. Returns the exit status. */
static int finish_file(const struct options *options, const struct target *target, int status) {
    bool is_lint = options->to == FORMAT_LINT;
    bool complete = status == SOLVE_DONE || status == (is_lint ? (int)LINT_FOUND : (int)SOLVE_REFUSED);
    return target_finish(target, complete) ? status : failure(options);
}

int solve(const struct options *options, char **operands) {
    struct solving solving = {.options = options};
    struct target target;
    bool to_file = options->output != NULL;
    if (!check_usage(&solving, options->operands, operands))
        return SOLVE_BAD_USAGE;
    if (to_file && !target_open(&target, options->output))
        return failure(options);
    output_init(&solving.output, &solving.progress, options->with_file, options->to == FORMAT_LINT);
    int status = run(&solving);
    return to_file ? finish_file(options, &target, status) : status;
}
