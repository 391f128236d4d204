#include "api/command/target.h"

#include "api/command/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

/* Copy the path, with all symbolic links resolved if there is such a file. Returns false if it is too long. */
static bool resolve(struct target *target, const char *path) {
    char *resolved = realpath(path, NULL);
    bool fits = snprintf(target->path, sizeof target->path, "%s", resolved != NULL ? resolved : path) < TARGET_PATH;
    free(resolved);
    if (!fits)
        errno = ENAMETOOLONG;
    return fits;
}

/* Create the new file. Returns its descriptor, or -1 and errno. */
static int create_part(struct target *target) {
    int descriptor = -1;
    for (int tries = 0; descriptor < 0 && tries < TRIES; tries++) {
        unsigned digits = 0;
        if (getrandom(&digits, sizeof digits, 0) < 0)
            return -1;
        if (snprintf(target->part, sizeof target->part, "%s.%08x.part", target->path, digits) >= TARGET_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        descriptor = open(target->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
    }
    return descriptor;
}

bool target_open(struct target *target, const char *path) {
    struct stat old;
    *target = (struct target){0};
    if (!resolve(target, path)) {
        message_print_error(path);
        return false;
    }
    bool exists = stat(target->path, &old) == 0, direct = exists && !S_ISREG(old.st_mode);
    int descriptor = direct ? open(target->path, O_WRONLY | O_CLOEXEC) : create_part(target);
    if (!direct && exists && descriptor >= 0)
        (void)fchmod(descriptor, old.st_mode & 0777); /* this fails where files have no permissions */
    bool good = descriptor >= 0 && dup2(descriptor, STDOUT_FILENO) >= 0;
    if (!good) {
        message_print_error(direct ? target->path : target->part);
        if (!direct && descriptor >= 0)
            unlink(target->part);
    }
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

bool target_finish(const struct target *target, bool complete) {
    if (*target->part == 0)
        return true;
    bool good = complete ? rename(target->part, target->path) == 0 : unlink(target->part) == 0;
    if (!good)
        message_print_error(complete ? target->path : target->part);
    if (!good && complete)
        unlink(target->part);
    return good;
}
