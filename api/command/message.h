/* Messages to the person who started the program, on standard error. */
#pragma once

/* Write "arbiter: ", the formatted text, and a line end. Characters that could control a terminal are escaped
 * (escape.h), so that callers may quote arguments and file names. The text must end with a character in ASCII. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
