/* The client of a request: the socket's address, or the one that a trusted proxy names in X-Forwarded-For. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/client.h"

#include <arpa/inet.h>
#include <string.h>

static struct peer socket_peer(const char *text) {
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1)
        return peer_of_socket((const struct sockaddr *)&ipv4);
    assert_int_equal(inet_pton(AF_INET6, text, &ipv6.sin6_addr), 1);
    return peer_of_socket((const struct sockaddr *)&ipv6);
}

/* Check the client of a request from `socket` with these X-Forwarded-For headers (ending with NULL). */
static void assert_client(const char *proxies, const char *socket, const char *const *forwarded, const char *expected) {
    struct header headers[8] = {{"Host", "test"}};
    struct peer_proxies *list = peer_proxies_new(proxies);
    struct peer other_end = socket_peer(socket);
    char text[PEER_TEXT_SIZE];
    size_t count = 1;
    for (; *forwarded != NULL; forwarded++, count += 2) {
        headers[count] = (struct header){"x-forwarded-FOR", *forwarded};
        headers[count + 1] = (struct header){"X-Forwarded-Host", "192.0.2.99"};
    }
    struct peer client = peer_of_request(list, &other_end, headers, count);
    peer_print(&client, text);
    if (strcmp(text, expected) != 0)
        fail_msg("proxies %s, socket %s, X-Forwarded-For %s: the client is %s, not %s", proxies, socket,
                 count > 1 ? headers[1].value : "none", text, expected);
    peer_proxies_free(list);
}

#define FORWARDED(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

static void a_proxy_is_compared_as_a_number(void **state) {
    (void)state;
    static const struct {
        const char *proxies, *socket;
        bool trusted;
    } rows[] = {
        {"127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "::ffff:127.0.0.1", true},
        {"::FFFF:127.0.0.1", "127.0.0.1", true},
        {"::ffff:7f00:1", "::ffff:127.0.0.1", true},
        {"0:0:0:0:0:0:0:1", "::1", true},
        {"2001:DB8::0001", "2001:db8::1", true},
        {"127.0.0.1", "::1", false},
        {"127.0.0.1", "127.0.0.2", false},
        {"0.0.0.1", "::1", false},
        {"10.0.0.0/8,::1", "10.255.255.255", true},
        {"10.0.0.0/8,::1", "::1", true},
        {"10.0.0.0/8,::1", "11.0.0.0", false},
        {" 192.0.2.1 ,\t10.1.2.3/8 ", "10.200.0.1", true},
        {"192.0.2.128/25", "192.0.2.128", true},
        {"192.0.2.128/25", "192.0.2.127", false},
        {"192.0.2.6/31", "192.0.2.7", true},
        {"192.0.2.6/31", "192.0.2.8", false},
        {"192.0.2.6/32", "192.0.2.6", true},
        {"2001:db8::/33", "2001:db8:7fff::1", true},
        {"2001:db8::/33", "2001:db8:8000::1", false},
        {"::ffff:10.0.0.0/104", "10.9.9.9", true},
        {"::ffff:10.0.0.0/104", "11.9.9.9", false},
        {"0.0.0.0/0", "198.51.100.1", true},
        {"0.0.0.0/0", "2001:db8::1", false},
        {"::/0", "2001:db8::1", true},
        {"::/0", "198.51.100.1", false},
        {"::/0", "::ffff:198.51.100.1", false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char socket[PEER_TEXT_SIZE];
        struct peer peer = socket_peer(rows[k].socket);
        peer_print(&peer, socket);
        assert_string_equal(socket, rows[k].socket);
        assert_client(rows[k].proxies, socket, FORWARDED("203.0.113.7"), rows[k].trusted ? "203.0.113.7" : socket);
    }
    assert_client(NULL, "127.0.0.1", FORWARDED("203.0.113.7"), "127.0.0.1");
}

static void the_rightmost_element_that_is_not_trusted_is_the_client(void **state) {
    (void)state;
    static const struct {
        const char *forwarded, *client;
    } rows[] = {
        {"203.0.113.7", "203.0.113.7"},
        {" \t203.0.113.7\t ", "203.0.113.7"},
        {"1.1.1.1, 203.0.113.7", "203.0.113.7"},
        {"1.1.1.1,203.0.113.7 , 10.0.0.9,10.0.0.8", "203.0.113.7"},
        {"unknown, 203.0.113.7, 10.0.0.9", "203.0.113.7"},
        {"203.0.113.7:8080", "203.0.113.7"},
        {"203.0.113.7, 10.0.0.9:1", "203.0.113.7"},
        {"2001:DB8::0007", "2001:db8::7"},
        {"[2001:db8::7]", "2001:db8::7"},
        {"[2001:db8::7]:443", "2001:db8::7"},
        {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"},
        {"1.1.1.1, ::ffff:10.0.0.9", "1.1.1.1"},
        {"::ffff:203.0.113.7", "::ffff:203.0.113.7"},
        /* All addresses are trusted. */
        {"10.0.0.9", "10.0.0.9"},
        {"10.0.0.7, 10.0.0.8:80, 10.0.0.9", "10.0.0.7"},
        /* Not addresses. */
        {"", "10.0.0.1"},
        {" ", "10.0.0.1"},
        {",", "10.0.0.1"},
        {"203.0.113.7,", "10.0.0.1"},
        {"203.0.113.7, unknown", "10.0.0.1"},
        {"203.0.113.7, unknown, 10.0.0.9", "10.0.0.1"},
        {"\"203.0.113.7\"", "10.0.0.1"},
        {"203.0.113.7:", "10.0.0.1"},
        {"203.0.113.7:http", "10.0.0.1"},
        {"203.0.113.7:123456", "10.0.0.1"},
        {"203.0.113.7 8080", "10.0.0.1"},
        {"203.0.113.256", "10.0.0.1"},
        {"203.0.113", "10.0.0.1"},
        {"0x7f.1", "10.0.0.1"},
        {"203.0.113.7/32", "10.0.0.1"},
        {"[203.0.113.7]:80", "10.0.0.1"},
        {"[2001:db8::7", "10.0.0.1"},
        {"2001:db8::7]", "10.0.0.1"},
        {"[]", "10.0.0.1"},
        {"[]:1", "10.0.0.1"},
        {":1", "10.0.0.1"},
        {"2001:db8:1:2:3:4:5:6:80", "10.0.0.1"},
        {"fe80::1%eth0", "10.0.0.1"},
        {"::", "10.0.0.1"},
        {"\"}\n{\"event\":\"forged\"", "10.0.0.1"},
        {"1111:2222:3333:4444:5555:6666:123.123.123.1234", "10.0.0.1"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_client("10.0.0.0/8", "10.0.0.1", FORWARDED(rows[k].forwarded), rows[k].client);
    assert_client("10.0.0.0/8", "10.0.0.1", NOTHING, "10.0.0.1");
    /* Several headers form one list (RFC 9110, section 5.3). */
    assert_client("10.0.0.0/8", "10.0.0.1", FORWARDED("203.0.113.7", "10.0.0.2, 10.0.0.3"), "203.0.113.7");
    assert_client("10.0.0.0/8", "10.0.0.1", FORWARDED("203.0.113.7", "203.0.113.8"), "203.0.113.8");
    assert_client("10.0.0.0/8", "10.0.0.1", FORWARDED("10.0.0.4", "10.0.0.2, 10.0.0.3"), "10.0.0.4");
    assert_client("10.0.0.0/8", "10.0.0.1", FORWARDED("203.0.113.7", "x, 10.0.0.3"), "10.0.0.1");
}

static void an_address_has_the_same_bytes_however_it_came(void **state) {
    (void)state;
    struct peer ipv4 = socket_peer("192.0.2.1"), in_ipv6 = socket_peer("::ffff:192.0.2.1"),
                unknown = peer_of_socket(NULL);
    struct sockaddr unix_socket = {.sa_family = AF_UNIX};
    char text[PEER_TEXT_SIZE];
    assert_memory_equal(ipv4.bytes, in_ipv6.bytes, sizeof ipv4.bytes);
    peer_print(&unknown, text);
    assert_string_equal(text, "");
    unknown = peer_of_socket(&unix_socket);
    peer_print(&unknown, text);
    assert_string_equal(text, "");
}

static void an_invalid_list_of_addresses_is_named(void **state) {
    (void)state;
    static const struct {
        const char *list, *wrong;
    } rows[] = {
        {"proxy.example", "proxy.example"},
        {"10.0.0.0/33", "10.0.0.0/33"},
        {"::1/129", "::1/129"},
        {"10.0.0.1, x , ::1", "x"},
        {"::1, first, 10.0.0.1, second", "first"},
        {"10.0.0.1,", ""},
        {",10.0.0.1", ""},
        {" ", ""},
        {"10.0.0.1 10.0.0.2", "10.0.0.1 10.0.0.2"},
        {"10.0.0.0/", "10.0.0.0/"},
        {"10.0.0.0/-1", "10.0.0.0/-1"},
        {"10.0.0.0/8/8", "10.0.0.0/8/8"},
        {"10.0.0.0/0x8", "10.0.0.0/0x8"},
        {"10.0.0.0/4294967297", "10.0.0.0/4294967297"},
        {"/8", "/8"},
        {"[::1]", "[::1]"},
        {"10.0.0.1:80", "10.0.0.1:80"},
    };
    const char *wrong;
    size_t length;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (peer_check_proxies(rows[k].list, &wrong, &length))
            fail_msg("\"%s\" is taken", rows[k].list);
        assert_int_equal(length, strlen(rows[k].wrong));
        assert_memory_equal(wrong, rows[k].wrong, length);
    }
    assert_true(peer_check_proxies("10.0.0.0/8,::1 ,\t192.0.2.1", &wrong, &length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proxy_is_compared_as_a_number),
        cmocka_unit_test(the_rightmost_element_that_is_not_trusted_is_the_client),
        cmocka_unit_test(an_address_has_the_same_bytes_however_it_came),
        cmocka_unit_test(an_invalid_list_of_addresses_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
