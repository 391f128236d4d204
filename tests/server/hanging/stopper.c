/* Usage: stopper TID NUMBER
 *
 * Stops a thread when it next enters the system call with this number, then prints a line. The thread continues when
 * this program exits. The other threads of its process keep running. Requires permission to trace the process. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what) {
    fprintf(stderr, "stopper: %s: %s\n", what, strerror(errno));
    return 1;
}

int main(int count, char **arguments) {
    if (count != 3)
        return 2;
    pid_t thread = (pid_t)atol(arguments[1]);
    unsigned long long number = strtoull(arguments[2], NULL, 10);
    if (ptrace(PTRACE_SEIZE, thread, 0, PTRACE_O_TRACESYSGOOD) != 0 || ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0)
        return fail("it cannot be traced");
    for (int status; waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status);) {
        struct __ptrace_syscall_info info = {0};
        if (WSTOPSIG(status) == (SIGTRAP | 0x80) && ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) > 0 &&
            info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == number) {
            puts("stopped");
            fflush(stdout);
            for (;;)
                pause();
        }
        /* pass signals on to the thread, but not stops caused by the tracer */
        bool is_signal = WSTOPSIG(status) != SIGTRAP && !(WSTOPSIG(status) & 0x80) && status >> 16 == 0;
        if (ptrace(PTRACE_SYSCALL, thread, 0, is_signal ? WSTOPSIG(status) : 0) != 0)
            return fail("it cannot be traced further");
    }
    return fail("it has ended");
}
