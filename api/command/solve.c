/* One thread reads files, pushes bodies to the queue, and writes answers. It waits for the first of these to be
 * possible:
 *
 *     files --input--> body --admit--> job --answers--> workers
 *                                                          |
 *     standard output <--------- in the order of the bodies
 *
 * A request head is made for each file, and admitted like one that came over HTTP, so that the contract of POST holds
 * here, too. While the thread writes it does not read: a slow reader of standard output stops the reading. */
#include "api/command/solve.h"

#include "api/api.h"
#include "api/command/answers.h"
#include "api/command/input.h"
#include "api/command/message.h"
#include "api/command/options.h"
#include "api/command/output.h"
#include "api/command/progress.h"
#include "api/command/start.h"
#include "api/job/source_json.h"
#include "api/request/games.h"
#include "api/request/negotiate.h"
#include "base/assert.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { SOLVE_DONE = 0, SOLVE_FAILED = 1, SOLVE_BAD_USAGE = 2, SOLVE_REFUSED = 3 };

struct solving {
    const struct options *options;
    const struct game *game;
    char *const *files; /* [file_count] */
    int file_count, next_file;
    uint64_t bytes; /* bytes of the files that are closed */
    struct account account;
    struct service *service;
    struct progress progress;
    struct output output;
    struct answers answers;
    struct input input; /* the file that is being read */
    bool open;          /* there is such a file */
    bool admitted;      /* its format is known, and it was admitted */
    bool may_lead;      /* ... but whether its first line is a case by itself is not known yet */
    struct admission admission;
    bool bad_usage;
};

/* ---- options and operands ---- */

static bool takes_sgf(const struct game *game) { return game->records != NULL; }

/* An option for records only: its name in a query, and its variable. */
struct record_option {
    const char *name, *variable, *value;
};
enum { RECORD_OPTIONS = 4 };

static void list_record_options(const struct options *options, struct record_option ret_list[RECORD_OPTIONS]) {
    ret_list[0] = (struct record_option){"game", "ARBITER_GAME", options->game};
    ret_list[1] = (struct record_option){"ko", "ARBITER_KO", options->ko};
    ret_list[2] = (struct record_option){"suicide", "ARBITER_SUICIDE", options->suicide};
    ret_list[3] = (struct record_option){"include", "ARBITER_INCLUDE", options->include};
}

/* Find an option on the command line that is for records only. Returns a message; NULL: there is none. A variable is
 * allowed, because it may be meant for other files. */
static const char *find_record_option(const struct options *options) {
    static const char *const wrong[RECORD_OPTIONS] = {
        "--game is for SGF records",
        "--ko is for SGF records; a case of Go in JSON has \"rules\"",
        "--suicide is for SGF records; a case of Go in JSON has \"rules\"",
        "--include is for SGF records; a case of JSON has \"include\"",
    };
    struct record_option list[RECORD_OPTIONS];
    list_record_options(options, list);
    for (int o = 0; o < RECORD_OPTIONS; o++)
        if (list[o].value != NULL && list[o].value != getenv(list[o].variable))
            return wrong[o];
    return NULL;
}

/* The format that a file name ends in; FORMAT_NONE: no format has this ending. */
static enum format format_of_name(const char *name) {
    static const struct {
        const char *ending;
        enum format format;
    } endings[] = {{".json", FORMAT_JSON},
                   {".ndjson", FORMAT_LINES},
                   {".jsonl", FORMAT_LINES},
                   {".txt", FORMAT_TEXT},
                   {".sgf", FORMAT_SGF}};
    const char *ending = strrchr(name, '.');
    for (size_t e = 0; ending != NULL && e < sizeof endings / sizeof *endings; e++)
        if (strcasecmp(ending, endings[e].ending) == 0)
            return endings[e].format;
    return FORMAT_NONE;
}

/* The format of a file as far as options and its name tell. */
static enum format format_as_typed(const struct options *options, const char *name) {
    return options->from != FORMAT_NONE ? options->from : format_of_name(name);
}

/* Find an option that is not allowed with a file of this format; FORMAT_NONE: the format is not known. Returns a
 * message; NULL: all are allowed. */
static const char *find_misuse(const struct solving *solving, enum format format) {
    const struct options *options = solving->options;
    bool is_record = takes_sgf(solving->game) && (format == FORMAT_NONE || format == FORMAT_SGF);
    enum format to = options->to == FORMAT_NONE && format == FORMAT_TEXT ? FORMAT_TEXT : options->to;
    if (options->with_file && (to == FORMAT_TEXT || to == FORMAT_SVG))
        return "--with-file is for answers in JSON: --to json or ndjson";
    return is_record ? NULL : find_record_option(options);
}

/* Find the game, and check that options and operands are consistent. False, with a message printed, when they are not.
 */
static bool check_usage(struct solving *solving, int count, char **arguments) {
    const struct options *options = solving->options;
    static char *const standard_input[] = {"-"};
    for (size_t g = 0; count > 0 && g < game_count; g++)
        if (strcmp(arguments[0], games[g]->name) == 0)
            solving->game = games[g];
    if (solving->game == NULL) {
        message_print("%s%s%s; solve pawn, go or mine; --help says more",
                      count > 0 ? "there is no route \"" : "solve what", count > 0 ? arguments[0] : "",
                      count > 0 ? "\"" : "");
        return false;
    }
    solving->files = count > 1 ? arguments + 1 : standard_input;
    solving->file_count = count > 1 ? count - 1 : 1;
    for (int f = 0; f < solving->file_count; f++) {
        const char *misuse = find_misuse(solving, format_as_typed(options, solving->files[f]));
        if (misuse != NULL) {
            output_message(&solving->output, solving->files[f], misuse);
            return false;
        }
    }
    return true;
}

/* ---- files ---- */

/* Open the next file. False when there is none. */
static bool open_next(struct solving *solving) {
    while (!solving->open && solving->next_file < solving->file_count) {
        const char *name = solving->files[solving->next_file++];
        solving->open = input_open(&solving->input, name, &solving->account);
        solving->admitted = false;
        if (solving->open)
            return true;
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread calls strerror, and glibc's is safe since 2.32 */
        answers_push_failure(&solving->answers, name, strerror(errno));
    }
    return solving->open;
}

static void close_input(struct solving *solving) {
    solving->bytes += solving->input.size;
    input_close(&solving->input);
    solving->open = false;
}

/* Append a parameter of a query; all bytes but letters and digits are written like %41. */
static void put_parameter(struct buffer *target, const struct record_option *option, bool first) {
    buffer_printf(target, "%c%s=", first ? '?' : '&', option->name);
    for (const char *c = option->value; *c != 0; c++)
        buffer_printf(target, "%%%02X", (unsigned char)*c);
}

/* Make the head of a request with a body in a format, and admit it. `to` is the format of the answer; with FORMAT_NONE
 * the service chooses it. */
static enum admit_action ask(struct solving *solving, enum format format, enum format to,
                             struct response *ret_response) {
    const struct options *options = solving->options;
    struct record_option list[RECORD_OPTIONS];
    struct buffer target, unused;
    bool first = true;
    buffer_init(&target, SIZE_MAX, NULL);
    buffer_printf(&target, "/%s", solving->game->name);
    list_record_options(options, list);
    for (int o = 0; o < RECORD_OPTIONS && format == FORMAT_SGF; o++)
        if (list[o].value != NULL) {
            put_parameter(&target, &list[o], first);
            first = false;
        }
    buffer_put_char(&target, 0);
    const struct header headers[] = {{"Host", "localhost"},
                                     {"Content-Type", negotiate_types[format]},
                                     {"Accept", to != FORMAT_NONE ? negotiate_types[to] : ""}};
    enum admit_action action = ADMIT_ANSWER;
    if (target.outcome == OUTCOME_DONE)
        action =
            admit(solving->service,
                  &(struct request_head){"POST", target.data, "HTTP/1.1", headers, sizeof headers / sizeof *headers},
                  &solving->admission, ret_response, &unused);
    else
        problem_respond(PROBLEM_OVERLOADED, &(struct response_cors){0}, ret_response, "memory is exhausted");
    buffer_clear(&target);
    return action;
}

/* Admit the file as a request with a body of this format. False when it is refused. */
static bool admit_as(struct solving *solving, enum format format, enum format to) {
    struct response response = {0};
    if (ask(solving, format, to, &response) == ADMIT_READ_BODY) {
        solving->admission.answer_to_json = FORMAT_NONE; /* the format of a file is known: text is answered as text */
        return true;
    }
    answers_push_refusal(&solving->answers, solving->input.name, &response);
    close_input(solving);
    return false;
}

/* Find the format of the file, and admit it. False when more must be read first, or it is refused. */
static bool admit_input(struct solving *solving) {
    struct input *input = &solving->input;
    enum format format = format_as_typed(solving->options, input->name);
    if (format == FORMAT_NONE && !input_find_format(input, &format))
        return false;
    if (format == FORMAT_NONE) /* the file is empty: it is refused, in a format that every route has */
        format = solving->options->with_file ? FORMAT_JSON : FORMAT_TEXT;
    const char *misuse = find_misuse(solving, format);
    if (misuse != NULL) {
        answers_push_failure(&solving->answers, input->name, misuse);
        solving->bad_usage = true;
        solving->next_file = solving->file_count;
        close_input(solving);
        return false;
    }
    if (!admit_as(solving, format, solving->options->to))
        return false;
    const struct admission *admission = &solving->admission;
    bool was_found = format_as_typed(solving->options, input->name) == FORMAT_NONE;
    input->in_slices = admission->body == FORMAT_LINES && admission->answer == FORMAT_LINES;
    solving->may_lead = was_found && admission->body == FORMAT_JSON &&
                        (admission->answer == FORMAT_JSON || admission->answer == FORMAT_LINES);
    solving->admitted = true;
    return true;
}

/* The format was found by the first byte. Find out whether the first line is a case by itself. If so, it is answered
 * when the line ends, and the rest of the file is lines. So a program that writes a case and waits for its answer need
 * not name the format ndjson. False while the line has not ended. */
static bool find_first_line(struct solving *solving) {
    struct input_line line;
    if (!input_find_line(&solving->input, &line))
        return false;
    solving->may_lead = false;
    solving->input.leads = line.length != 0 && source_json_is_case(line.bytes, line.length);
    return true;
}

/* The account has no memory for the file. */
static void refuse_large(struct solving *solving) {
    struct response response = {0};
    const struct input *input = &solving->input;
    const struct memory_limits *limits = limits_of(&solving->options->limits, &memory_limits);
    problem_respond(PROBLEM_OVERLOADED, &(struct response_cors){0}, &response,
                    "max_inflight_bytes allows %llu bytes; %s", (unsigned long long)limits->max_inflight_bytes,
                    input->leads || input->in_slices
                        ? "a line is longer"
                        : "more came out of a pipe: say it with a file, or, of JSON with a case a line, "
                          "with --from ndjson");
    answers_push_refusal(&solving->answers, input->name, &response);
    close_input(solving);
}

/* Read what has come. */
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

/* Push what was read, while there is space in the queue. */
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
            if (leads && !admit_as(solving, FORMAT_LINES, FORMAT_LINES))
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

/* Show the progress. The total is not known while files are not opened, or are pipes. */
static void show_progress(struct solving *solving) {
    if (progress_pause(&solving->progress) != 0)
        return;
    struct progress_state state = answers_progress(&solving->answers);
    bool known = solving->next_file == solving->file_count && (!solving->open || solving->input.ended);
    state.all = known ? solving->bytes + (solving->open ? solving->input.size : 0) : 0;
    progress_show(&solving->progress, &state);
}

/* Wait until there is something to read or to write, or until the line of progress is due. False when the reader of the
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
    if (ready[1].revents & (POLLERR | POLLHUP)) /* for a pipe, and for a socket */
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
        if (answers->count == 0 && !solving->open && solving->next_file == solving->file_count)
            return;
        if (!wait_for_more(solving)) {
            solving->output.error = EPIPE;
            return;
        }
    }
}

/* ---- beginning and end ---- */

/* SIGBUS: a mapped file became shorter, and the rest cannot be read. */
static void on_lost_file(int number) {
    static const char text[] = "arbiter: a file became shorter while it was read\n";
    ssize_t unused = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number, (void)unused;
    _exit(SOLVE_FAILED);
}

static int status_of(struct solving *solving) {
    struct output *output = &solving->output;
    /* Some file systems report an error only here. */
    if (output->error == 0 && close(STDOUT_FILENO) != 0)
        output->error = errno;
    if (output->error != 0 && output->error != EPIPE)
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): as above */
        output_message(output, "standard output", strerror(output->error));
    if (solving->bad_usage)
        return SOLVE_BAD_USAGE;
    if (output->error != 0 || solving->answers.failed)
        return SOLVE_FAILED;
    return solving->answers.refused ? SOLVE_REFUSED : SOLVE_DONE;
}

static int run(struct solving *solving) {
    static const char *const body_names[FORMATS] = {[FORMAT_JSON] = "is read with --from json",
                                                    [FORMAT_TEXT] = "is read with --from text",
                                                    [FORMAT_LINES] = "is read with --from ndjson",
                                                    [FORMAT_SGF] = "is read with --from sgf"};
    const struct options *options = solving->options;
    struct sigaction lost = {.sa_handler = on_lost_file};
    signal(SIGPIPE, SIG_IGN);
    sigaction(SIGBUS, &lost, NULL);
    service_init_account(&options->limits, &solving->account);
    solving->service = start_service(options, &solving->account, body_names);
    struct queue_config config = start_workers(options, &solving->account);
    size_t max = 2 * (config.workers + config.long_workers); /* enough to keep all workers busy while one job is long */
    config.max_wait = UINT64_MAX;                            /* no request is refused because it waits, ... */
    config.limit = max; /* ... nor because others wait, whatever --queue says: `max` bounds them */
    struct queue *queue = solving->service != NULL ? queue_start(&config) : NULL;
    int status = SOLVE_FAILED;
    if (queue != NULL && answers_init(&solving->answers, solving->service, queue, &solving->output, max)) {
        progress_begin(&solving->progress, options->progress);
        answer_files(solving);
        progress_wipe(&solving->progress);
        answers_clear(&solving->answers);
        if (solving->open)
            close_input(solving);
        status = status_of(solving);
    } else {
        fputs("arbiter: cannot start: out of memory, threads or descriptors\n", stderr);
    }
    queue_free(queue);
    service_free(solving->service);
    return status;
}

void solve_print_help(void) {
    struct option_text text;
    printf(
        "Usage: arbiter solve ROUTE [--OPTION VALUE]... [FILE]...\n\n"
        "Answer files, without a server: what a POST of each to ROUTE (pawn, go or mine) would be answered with goes "
        "to\nstandard output, in their order, and what is refused to standard error, a JSON object a line with the "
        "\"file\".\nWithout a FILE, or for -, standard input is read. Lines (ndjson) are answered one by one, as "
        "soon as they come;\nwhere nothing says what a file holds, and its first line is a case, it is lines.\n\n");
    for (size_t i = 0; options_describe(OPTIONS_SOLVE, i, &text); i++)
        printf("  %-25s %s [%s]\n", text.name, text.meaning, text.default_value);
    printf("  %-25s print this and leave\n  %-25s what follows are files\n\n"
           "Each may stand in the environment too, --max-cases as ARBITER_MAX_CASES.\n\n"
           "The exit status is 0 when all is answered, 3 when some case is refused or a form cannot be had, 2 for bad\n"
           "usage, and 1 for anything else.\n",
           "--help", "--");
}

int solve(const struct options *options, char **operands) {
    struct solving solving = {.options = options};
    output_init(&solving.output, &solving.progress, options->with_file);
    return check_usage(&solving, options->operands, operands) ? run(&solving) : SOLVE_BAD_USAGE;
}
