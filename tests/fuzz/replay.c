/* Runs a fuzz target on every input of a corpus, in any build: replay FILE
 *
 * Each line in the file is an input. Printable ASCII characters stand for themselves, \n for a line feed, \\ for a
 * backslash, and \xNN for any other byte. The results are printed as TAP. */
#include "fuzz/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read what follows the backslash in an escape. Returns the number of characters read. */
static size_t read_escape(const char *text, char *ret_byte) {
    unsigned value;
    if (*text == 'n' || *text == '\\') {
        *ret_byte = (char)(*text == 'n' ? '\n' : '\\');
        return 1;
    }
    INSIST(sscanf(text, "x%2x", &value) == 1);
    *ret_byte = (char)value;
    return 3;
}

/* Decode the escapes in a line in place. Returns the length of the input. */
static size_t unescape(char *line, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++, count++)
        if (line[i] == '\\')
            i += read_escape(line + i + 1, &line[count]);
        else
            line[count] = line[i];
    return count;
}

/* Run the target with the input in a block of exactly its size, so that a read past its end is detected. */
static void replay(const char *bytes, size_t length) {
    uint8_t *data = malloc(length != 0 ? length : 1);
    INSIST(data != NULL);
    memcpy(data, bytes, length);
    LLVMFuzzerTestOneInput(data, length);
    free(data);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    char *line = NULL;
    size_t capacity = 0, count = 0;
    ssize_t length;
    INSIST(file != NULL);
    while ((length = getline(&line, &capacity, file)) > 0) {
        fprintf(stderr, "line %zu\n", ++count);
        replay(line, unescape(line, (size_t)length - (line[length - 1] == '\n')));
    }
    free(line);
    fclose(file);
    INSIST(count != 0);
    printf("1..1\nok 1 - every input of %s holds (%zu)\n", strrchr(argv[1], '/') + 1, count);
    return 0;
}
