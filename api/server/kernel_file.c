#include "api/server/kernel_file.h"

#include <stdio.h>

bool kernel_file_read(const char *path, char *ret_text, size_t size) {
    FILE *file = fopen(path, "re");
    ret_text[0] = 0;
    if (file == NULL)
        return false;
    size_t length = fread(ret_text, 1, size - 1, file);
    bool good = ferror(file) == 0;
    fclose(file);
    ret_text[good ? length : 0] = 0;
    return good;
}
