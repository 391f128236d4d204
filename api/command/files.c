#include "api/command/files.h"

#include "api/game/formats.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool add(struct files *files, const char *name) {
    if ((files->count & (files->count - 1)) == 0) { /* the array is full: 1, 2, 4 ... names */
        char **names = reallocarray(files->names, files->count == 0 ? 1 : 2 * files->count, sizeof *names);
        if (names == NULL)
            return false;
        files->names = names;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return false;
    files->names[files->count++] = copy;
    return true;
}

static bool is_folder(const char *name) {
    struct stat status;
    return strcmp(name, "-") != 0 && stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

/* Is this a record, or something that cannot be read, which opening it will tell? A link to a file is a record; one to
 * a directory is not followed, so there are no circles, and a pipe is left alone: reading it may never end. */
static bool is_record(const FTSENT *entry) {
    struct stat status;
    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS || entry->fts_info == FTS_ERR)
        return true;
    if (format_of_name(entry->fts_name) != FORMAT_SGF)
        return false;
    return entry->fts_info == FTS_F ||
           (entry->fts_info == FTS_SL && (stat(entry->fts_path, &status) != 0 || S_ISREG(status.st_mode)));
}

/* Add the records in a directory. If there are none, add the directory. */
static bool add_folder(struct files *files, char *folder) {
    size_t before = files->count;
    FTS *fts = fts_open((char *[]){folder, NULL}, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare);
    const FTSENT *entry;
    bool good = fts != NULL;
    while (good && (errno = 0, entry = fts_read(fts)) != NULL)
        good = !is_record(entry) || add(files, entry->fts_path);
    good = good && errno == 0 && (files->count != before || add(files, folder));
    if (fts != NULL)
        fts_close(fts);
    return good;
}

bool files_find(struct files *files, char *const *operands, size_t count, bool has_records) {
    bool good = true;
    for (size_t k = 0; good && k < count; k++)
        good = has_records && is_folder(operands[k]) ? add_folder(files, operands[k]) : add(files, operands[k]);
    return good;
}

void files_clear(struct files *files) {
    while (files->count != 0)
        free(files->names[--files->count]);
    free(files->names);
    files->names = NULL;
}
