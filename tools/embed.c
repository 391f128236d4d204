/* A build tool: embed NAME INPUT OUTPUT writes a C file with the bytes of INPUT as `NAME` and their count as
 * `NAME_size`. */
#include <stdio.h>

int main(int count, char **arguments) {
    if (count != 4)
        return 2;
    FILE *in = fopen(arguments[2], "rb"), *out = fopen(arguments[3], "wb");
    if (in == NULL || out == NULL) {
        perror(in == NULL ? arguments[2] : arguments[3]);
        return 1;
    }
    size_t size = 0;
    int byte;
    fprintf(out, "#include <stddef.h>\nextern const char %s[];\nextern const size_t %s_size;\nconst char %s[] = {",
            arguments[1], arguments[1], arguments[1]);
    for (; (byte = getc(in)) != EOF; size++)
        /* Whether char has a sign is the processor's choice. */
        fprintf(out, byte < 128 ? "%s%d," : "%s(char)%d,", size % 24 == 0 ? "\n" : "", byte);
    fprintf(out, "0};\nconst size_t %s_size = %zu;\n", arguments[1], size);
    fclose(in);
    return fclose(out) == 0 ? 0 : 1;
}
