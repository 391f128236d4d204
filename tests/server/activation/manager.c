/* Acts like a service manager (systemd) that starts a program by socket activation:
 *
 *     manager COMMAND [ARGUMENT...]
 *
 * It listens on a free port on 127.0.0.1, and passes that socket as descriptor 3 to one program after another. It
 * starts the command immediately and, for each line on standard input, again when the previous program has ended. It
 * writes a line to standard output for each state that the program sends to NOTIFY_SOCKET, and one with its exit
 * status. SIGTERM is passed on to the program. If no line on standard input asks for another start, the manager exits
 * with the program's exit status. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INHERITED = 3, BACKLOG = 4096 };

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Open the listening socket as descriptor 3. */
static void listen_at_free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listening, BACKLOG) != 0)
        fail("manager: listen");
    if (listening != INHERITED) {
        if (dup2(listening, INHERITED) < 0)
            fail("manager: dup2");
        close(listening);
    }
}

/* Open a socket for state notifications, under a name chosen by the kernel, and set NOTIFY_SOCKET. */
static int open_notify_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t size = sizeof address;
    char name[sizeof address.sun_path + 1] = "@";
    int states = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (states < 0 || bind(states, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path)) != 0 ||
        getsockname(states, (struct sockaddr *)&address, &size) != 0)
        fail("manager: notify");
    memcpy(name + 1, address.sun_path + 1, size - offsetof(struct sockaddr_un, sun_path) - 1);
    setenv("NOTIFY_SOCKET", name, 1);
    return states;
}

static pid_t start(char **command, const sigset_t *signals) {
    pid_t program = fork();
    if (program < 0)
        fail("manager: fork");
    if (program > 0)
        return program;
    char process[32];
    snprintf(process, sizeof process, "%ld", (long)getpid());
    setenv("LISTEN_PID", process, 1);
    setenv("LISTEN_FDS", "1", 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* because a failing test kills only the manager */
    sigprocmask(SIG_UNBLOCK, signals, NULL);
    execvp(command[0], command);
    fail(command[0]);
}

static void print_state(int states) {
    char state[256];
    ssize_t length = recv(states, state, sizeof state - 1, 0);
    if (length > 0)
        printf("%.*s\n", (int)length, state);
}

/* Reap the program, which has ended, and return its exit status. */
static int reap(pid_t program) {
    int status;
    if (waitpid(program, &status, 0) < 0)
        fail("manager: waitpid");
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("left %d\n", status);
    return status;
}

/* Count the lines that are ready to be read. */
static size_t count_lines(int input) {
    char bytes[256];
    size_t lines = 0;
    ssize_t length = read(input, bytes, sizeof bytes);
    for (ssize_t b = 0; b < length; b++)
        lines += bytes[b] == '\n';
    return lines;
}

int main(int count, char **arguments) {
    sigset_t signals;
    size_t starts = 0; /* requested starts that are still to do */
    if (count < 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    listen_at_free_port();
    int states = open_notify_socket(), happened = signalfd(-1, &signals, SFD_CLOEXEC);
    pid_t program = start(arguments + 1, &signals);
    struct pollfd sources[] = {{happened, POLLIN, 0}, {states, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    for (;;) {
        if (poll(sources, 3, -1) < 0)
            fail("manager: poll");
        if (sources[1].revents != 0)
            print_state(states);
        if (sources[2].revents != 0) {
            size_t lines = count_lines(STDIN_FILENO);
            starts += lines;
            if (lines == 0)
                sources[2].fd = -1; /* end of input */
        }
        if (sources[0].revents == 0)
            continue;
        struct signalfd_siginfo signal;
        if (read(happened, &signal, sizeof signal) != (ssize_t)sizeof signal)
            fail("manager: signal");
        if (signal.ssi_signo == SIGTERM) {
            kill(program, SIGTERM);
            continue;
        }
        int status = reap(program);
        if (starts == 0)
            return status;
        starts--;
        program = start(arguments + 1, &signals);
    }
}
