/* The program. */
#include "api/command/commands.h"

#include <fcntl.h>
#include <unistd.h>

/* If a standard descriptor is closed, the next socket or file would get its number. So /dev/null is opened in its
 * place, in a mode in which the reads or writes of the program fail as they would have. */
static void open_standard_descriptors(void) {
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDWR};
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            /* open returns the lowest free number, which is this one. It stays open. */
            (void)open("/dev/null", modes[descriptor]); /* cppcheck-suppress leakReturnValNotUsed; see above */
}

int main(int count, char **arguments) {
    open_standard_descriptors();
    return commands_run(count > 0 ? count - 1 : 0, arguments + 1);
}
