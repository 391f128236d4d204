#include "api/go/sgf_name.h"

bool sgf_fold_name(const char *text, size_t length, char ret_name[SGF_NAME_BYTES]) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0 || (unsigned char)text[i] > 0x7f)
            return false;
        bool capital = text[i] >= 'A' && text[i] <= 'Z';
        if (!capital && (text[i] < 'a' || text[i] > 'z') && (text[i] < '0' || text[i] > '9'))
            continue;
        if (used == SGF_NAME_BYTES - 1)
            return false;
        ret_name[used++] = capital ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    ret_name[used] = 0;
    return true;
}
