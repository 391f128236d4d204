#include "api/torture/requests.h"

#include "api/request.h"

#define JSON "application/json"
#define TEXT "text/plain"
#define SVG "image/svg+xml"
#define SGF "application/x-go-sgf"
#define LINES "application/x-ndjson"

/* JSON without escapes. */
#define J(...) #__VA_ARGS__

#define TEN(text) text text text text text text text text text text
#define THOUSAND(text) TEN(TEN(TEN(text)))
#define LONG_LIST "{\"rows\":9,\"cols\":9,\"mines\":[" TEN(THOUSAND("[4, 4 ], ")) "[1,1]]}"

/* A hundred passes on the largest board. With `boards`, each pass adds a board of 700 bytes to the answer. */
#define PASSES "{\"size\":25,\"include\":[\"boards\"],\"moves\":[" TEN(TEN("[\"B\",\"pass\"],")) "[\"B\",\"pass\"]]}"

/* Openings with shared numbers, which need a search. */
#define COUPLED "[\"..*...**\",\"........\",\"*...*...\"]"

/* Different code solves boards of up to 64, 128 and 256 cells. Most cells are obstacles, because each board is solved
 * once for every allocation. */
#define ROW10 "\"####..####\","
#define ROW15 "\"######...######\","
#define PAWN100 "[\"O........O\"," TEN(ROW10) "\"....X.....\"]"
#define PAWN180 "[\"O.............O\"," TEN(ROW15) "\"...X...........\"]"

const struct torture_request torture_requests[] = {
    /* ---- requests without a case ---- */
    {"/", .accept = "text/html", .status = 200},
    {"/", .name = "Accept-Encoding", .value = "gzip", .status = 200},
    {"/web/page/link.js", .status = 200},
    {"/docs", .status = 200},
    {"/docs/docs.css", .status = 200},
    {"/favicon.ico", .status = 200},
    {"/robots.txt", .status = 200},
    {"/l%69mits", .status = 200},
    {"/docs/?x=1", .status = 308},
    {"/mine/", .type = JSON, .body = "{}", .status = 308},
    {"/openapi.yaml", .name = "Accept-Encoding", .value = "gzip", .status = 200},
    {"/openapi.json", .method = "HEAD", .status = 200},
    {"/limits", .status = 200},
    {"/version", .status = 200},
    {"/problems", .name = "Accept-Encoding", .value = "gzip", .status = 200},
    {"/problems/overloaded", .status = 200},
    {"/livez", .status = 200},
    {"/readyz", .status = 200},
    {"/metrics", .status = 200},
    {"*", .method = "OPTIONS", .status = 204},
    {"/go", .method = "OPTIONS", .name = "Origin", .value = "https://example.org", .status = 204},

    /* ---- refused by the head ---- */
    {"/nowhere", .status = 404},
    {"/nowhere", .accept = "text/html", .status = 404},
    {"/limit", .status = 404},
    {"/nowhere?with=gzip", .name = "Accept-Encoding", .value = "gzip", .status = 404},
    {"/go", .method = "DELETE", .status = 405},
    {"/limits", .type = JSON, .body = "{}", .status = 405},
    {"/mine", .type = JSON, .accept = "image/png", .body = "{}", .status = 406},
    {"/mine?case={}", .accept = "image/png", .status = 406},
    {"/mine", .type = JSON, .name = "Content-Length", .value = "123456789", .body = "{}", .status = 413},
    {"/mine?_=" TEN(THOUSAND("x")), .status = 414},
    {"/mine", .type = "text/html", .body = "{}", .status = 415},
    {"/mine", .type = JSON, .name = "Content-Encoding", .value = "gzip", .body = "{}", .status = 415},
    {"/mine", .type = JSON, .name = "Host", .value = "another", .body = "{}", .status = 400},
    {"/mine?turn=Red&x=1", .type = JSON, .body = "{}", .status = 400},
    {"/mine?format=gif&format=svg&x=1&" TEN("y=2&"), .status = 400},
    {"/go?game=1&game=2", .type = SGF, .body = "(;)", .status = 400},
    {"/go?ko=x&game=0&include=score,score&suicide=perhaps", .type = SGF, .body = "(;)", .status = 422},
    {"/go?next=x&komi=x&scoring=x&repetition=x&dead=x&seki=,", .type = SGF, .body = "(;)", .status = 422},

    /* ---- pawn ---- */
    {"/pawn", .type = JSON, .accept = JSON, .body = J({
                                                "board" : [ "O.....", "......", "...#..", "......", "..X..O" ],
                                                "id" : "a",
                                                "turn" : "Black",
                                                "include" : [ "case", "moves", "line", "boards" ]
                                            }),
     .status = 200},
    {"/pawn", .type = JSON, .body = "{\"include\":[\"line\",\"boards\"],\"board\":" PAWN100 "}", .status = 200},
    {"/pawn", .type = JSON, .name = "Accept-Encoding", .value = "gzip",
     .body = "{\"include\":[\"line\",\"boards\",\"moves\"],\"board\":" PAWN180 "}", .status = 200},
    {"/pawn", .type = JSON, .accept = SVG, .body = J({"board" : [ "O.O", "...", ".X." ]}), .status = 200},
    {"/pawn", .type = JSON, .accept = TEXT, .body = J({"board" : [ "O.O", "...", ".X." ]}), .status = 200},
    {"/pawn", .type = JSON, .accept = LINES, .body = J({"board" : [ "O.O", "...", ".X." ]}), .status = 200},
    {"/pawn", .type = TEXT, .body = "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n", .status = 200},
    {"/pawn", .type = TEXT, .accept = JSON, .body = "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n", .status = 200},
    {"/pawn", .type = TEXT, .accept = LINES, .body = "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n", .status = 200},
    {"/pawn", .type = LINES, .body = J({"board" : [ "O.O", ".X." ]}) "\n\n" J({"board" : ["OXO"], "id" : 4}),
     .status = 200},
    {"/pawn", .type = LINES, .accept = JSON, .body = J({"board" : [ "O.O", ".X." ]}) "\n", .status = 200},
    {"/pawn", .type = LINES, .accept = TEXT, .body = J({"board" : [ "O.O", ".X." ]}) "\n", .status = 200},
    {"/pawn", .type = JSON, .body = J({"board" : [ "OOO", ".X." ], "turn" : "red", "board" : 1}), .status = 422},
    {"/pawn", .type = TEXT, .body = "1 1\n2 3\nOOO\n.X.\n", .status = 422},
    {"/pawn", .type = TEXT, .body = "1 2\n2 3\nO.O\n.X.\n2 3\nO.O\n", .status = 400},
    {"/pawn", .type = JSON, .body = J({
                                "cases" : [
                                    {"board" : [ "O.O", ".X." ]}, {"board" : [ "O.O", ".X." ], "id" : 7},
                                    {"board" : [ "O.O", ".X." ], "turn" : "Black"}
                                ]
                            }),
     .status = 200},
    {"/pawn?case=%7B%22board%22:%5B%22O.O%22,%22.X.%22%5D%7D", .status = 200},
    {"/pawn?case=%7B%22board%22:%5B%22O.O%22,%22.X.%22%5D%7D&format=text", .status = 200},
    {"/pawn?case=%7B%22board%22:%5B%22O.O%22,%22.X.%22%5D%7D", .accept = SVG, .name = "Accept-Encoding",
     .value = "gzip", .status = 200},
    {"/pawn?case=%7B%22board%22:%5B%22O.O%22%5D%7D", .status = 422},

    /* ---- Go ---- */
    {"/go", .type = JSON, .body = J({
                              "size" : 3,
                              "setup" : [ "B..", "...", "..W" ],
                              "moves" : [ [ "B", 0, 0 ], [ "W", "B3" ], [ "W", "A2" ], [ "B", "pass" ] ],
                              "rules" : {"ko" : "situational", "suicide" : true},
                              "include" : [ "captured", "boards", "score", "case" ]
                          }),
     .status = 200},
    {"/go", .type = JSON, .name = "Accept-Encoding", .value = "gzip",
     .body = J({
         "size" : 9,
         "include" : ["boards"],
         "rules" : {"ko" : "simple"},
         "moves" :
             [ [ "B", 0, 0 ], [ "W", 0, 1 ], [ "B", 1, 1 ], [ "W", 2, 0 ], [ "W", 1, 0 ], [ "B", 0, 0 ], [ "B", 0, 0 ] ]
     }),
     .status = 200},
    {"/go", .type = JSON, .body = J({
                              "size" : 4,
                              "setup" : [ ".B.W", "BBWW", "..WB", "BWW." ],
                              "moves" : ["W C4"],
                              "rules" : {"preset" : "nz", "scoring" : "territory", "repetition" : "report"},
                              "next" : "B",
                              "komi" : -0.5,
                              "dead" : [ "D2", [ "B", 3, 0 ] ],
                              "seki" : ["A1"],
                              "include" : [ "score", "legal", "chains", "territory", "alive" ]
                          }),
     .status = 200},
    {"/go", .type = JSON, .accept = SVG,
     .body = J({"size" : 2, "moves" : [ "A1", "A2", "B2" ], "dead" : ["A1"], "include" : [ "legal", "territory" ]}),
     .status = 200},
    {"/go", .type = JSON, .body = J({"size" : 2, "moves" : ["A1"], "dead" : [ "B1", "W A1" ], "seki" : ["A1"]}),
     .status = 422},
    {"/go?next=W&komi=6.5&scoring=territory&repetition=report&dead=A1&seki=B2&include=score,territory", .type = SGF,
     .accept = JSON, .body = "(;SZ[3]PL[B]HA[2]KM[1]AB[aa:ba];B[ac])", .status = 200},
    {"/go", .type = JSON, .accept = SVG, .body = J({"moves" : [ [ "B", "Q16" ], [ "W", "Q16" ] ]}), .status = 200},
    {"/go", .type = JSON, .accept = TEXT, .body = J({"moves" : [ [ "B", "Q16" ], [ "W", "Q16" ] ]}), .status = 200},
    {"/go", .type = JSON, .accept = LINES,
     .body = J({"cases" : [ {"size" : 2, "moves" : [ [ "B", 0, 0 ], [ "W", 0, 0 ] ]}, {"id" : 7}, {"moves" : []} ]}),
     .status = 200},
    {"/go", .type = JSON, .body = J({"sgf" : "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))"}), .status = 200},
    {"/go", .type = JSON, .body = J({"sgf" : "(;SZ[5]", "size" : 5, "moves" : []}), .status = 422},
    {"/go", .type = JSON, .body = J({"sgf" : "(;SZ[5];B[zz])"}), .status = 422},
    {"/go", .type = JSON, .body = J({"size" : 2, "setup" : [ "BW", "WB" ], "moves" : []}), .status = 422},
    {"/go", .type = TEXT, .body = "1\n3\nB 1 1\nW 1 1\nB 19 19\n", .status = 200},
    {"/go", .type = TEXT, .accept = JSON, .name = "Accept-Encoding", .value = "gzip",
     .body = "2\n3\nB 1 1\nW 1 1\nB 19 19\n0\n", .status = 200},
    {"/go", .type = TEXT, .accept = LINES, .body = "1\n3\nB 1 1\nW 1 1\nB 19 19\n", .status = 200},
    {"/go", .type = LINES,
     .body = J({"moves" : [[ "B", 0, 0 ]]}) "\nx\n" J({"id" : "\u00e9", "moves" : [[ "B", 0, 99 ]]}), .status = 200},
    {"/go", .type = LINES, .accept = JSON, .body = J({"moves" : [[ "B", 0, 0 ]]}) "\n" J({"moves" : []}),
     .status = 200},
    {"/go", .type = LINES, .accept = TEXT, .body = J({"moves" : [[ "B", 0, 0 ]]}) "\n" J({"moves" : []}),
     .status = 200},
    {"/go", .type = SGF, .body = "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))", .status = 200},
    {"/go", .type = JSON, .body = J({
                              "sgf" : "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]W[cc];AE[aa];B[dd](;B[aa])(;AB[aa])))",
                              "include" : ["variations"]
                          }),
     .status = 200},
    {"/go", .type = JSON, .body = J({"sgf" : "(;SZ[2](;B[aa])(;AW[ba][ab]AB[aa];W[bb]))", "include" : "variations"}),
     .status = 422},
    {"/go", .type = SGF, .accept = SVG, .body = "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))", .status = 200},
    {"/go", .type = SGF, .accept = TEXT, .body = "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))", .status = 200},
    {"/go", .type = SGF, .accept = LINES, .body = "(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))", .status = 200},
    {"/go?game=2&include=boards,captured,score&ko=simple&suicide=true", .type = SGF, .accept = JSON,
     .body = "(;SZ[5](;B[aa])(;B[bb]))(;SZ[5];B[aa];W[ba];AE[aa]AB[cc];AW[aa]B[ee](;AE[aa])", .status = 200},
    {"/go?game=3", .type = SGF, .body = "(;SZ[5])(;SZ[5])", .status = 422},
    {"/go", .type = SGF, .body = "(;SZ[5];B[zz])", .status = 422},
    {"/go", .type = SGF, .body = "(;SZ[2];B[aa];AW[ba]AW[ab])", .status = 422},
    {"/go", .type = SGF, .body = "(;SZ[5;B[aa", .status = 400},
    {"/go?game=all", .type = SGF, .accept = JSON,
     .body = "(;SZ[3];B[aa](;W[bb])(;W[cc]))(;SZ[3]RU[AGA];B[aa];AE[aa])(;)", .status = 200},
    {"/go?game=all", .type = SGF, .accept = LINES, .body = "(;SZ[3];B[aa])(;SZ[3];B[zz])(;SZ[3];B[aa];AE[aa])",
     .status = 200},
    {"/go?game=all", .type = SGF, .accept = TEXT, .body = "(;SZ[3];B[aa])(;SZ[3];B[bb])", .status = 200},
    {"/go?game=all", .type = SGF, .accept = JSON, .body = "(;SZ[3];B[aa])(;SZ[3];B[zz])", .status = 422},
    {"/go", .type = JSON, .body = J({"id" : "a", "sgf" : "(;SZ[3];B[aa])(;SZ[3];B[aa];AE[aa])", "game" : "all"}),
     .status = 200},
    {"/go", .type = JSON, .accept = LINES, .body = J({"id" : "a", "sgf" : "(;SZ[3];B[aa])(;GM[2])", "game" : "all"}),
     .status = 200},
    {"/go", .type = JSON, .body = J({"id" : "a", "sgf" : "(;SZ[3];B[aa])(;GM[2])", "game" : "all"}), .status = 422},
    {"/go", .type = JSON, .body = PASSES, .status = 422},
    {"/go", .type = LINES, .body = PASSES "\n" J({"moves" : []}), .status = 200},
    {"/go", .type = JSON,
     .body = "{\"cases\":[{\"id\":1,\"moves\":[" TEN(
         TEN("[\"B\",\"pass\"],")) "[\"B\",\"pass\"]]},{\"moves\":[]},"
                                   "{\"id\":\"b\",\"moves\":[[\"B\",0,0],[\"W\",0,1],[\"W\",0,1]]}]}",
     .status = 422},
    {"/go?case=%7B%22moves%22:%5B%5D%7D&format=json", .name = "Accept-Encoding", .value = "gzip", .status = 200},
    {"/go?case=%7B%22moves%22:%5B%5D%7D&format=text", .status = 200},
    {"/go?case=%7B%22moves%22:%5B%5D%7D&format=svg", .status = 200},
    {"/go?case=%7B%22size%22:25,%22moves%22:%5B" TEN(
         "%5B%22B%22,1,1%5D,%5B%22B%22,1,1%5D,") "%5B%22B%22,1,1%5D%5D,"
                                                 "%22include%22:%5B%22boards%22%5D%7D",
     .status = 422},

    /* ---- Minesweeper ---- */
    {"/mine", .type = JSON, .body = J({
                                "cases" : [
                                    {"board" : [ "...", ".*." ]}, {
                                        "rows" : 9,
                                        "cols" : 9,
                                        "mines" : [ [ 4, 4 ], [ 0, 2 ], [ 2, 7 ] ],
                                        "include" : [ "wins", "board" ],
                                        "states" : 1000,
                                        "id" : "b"
                                    }
                                ]
                            }),
     .status = 200},
    {"/mine", .type = JSON, .body = LONG_LIST, .status = 200},
    {"/mine", .type = JSON, .body = "{\"include\":[\"case\"],\"rows\":1." TEN("0000000000") ",\"cols\":1,\"mines\":[]}",
     .status = 200},
    {"/mine", .type = JSON, .body = "{\"include\":[\"wins\"],\"board\":" COUPLED "}", .status = 200},
    {"/mine", .type = JSON, .body = "{\"include\":[\"wins\"],\"states\":1,\"board\":" COUPLED "}", .status = 200},
    {"/mine", .type = JSON, .body = "{\"include\":[\"clusters\"],\"board\":" COUPLED "}", .status = 200},
    {"/mine", .type = JSON, .body = "{\"include\":[\"wins\",\"clusters\"],\"board\":" COUPLED "}", .status = 200},
    {"/mine", .type = JSON, .accept = SVG, .name = "Accept-Encoding", .value = "gzip",
     .body = J({"board" : [ "....*...", "..*.....", "........", "*.....*.", "....*..." ]}), .status = 200},
    {"/mine", .type = JSON, .accept = TEXT, .body = J({"board" : [ "....*...", "..*....." ]}), .status = 200},
    {"/mine", .type = JSON, .accept = LINES, .body = J({"cases" : [ {"board" : ["..*"]}, {"board" : ["x"]} ]}),
     .status = 200},
    {"/mine", .type = JSON,
     .body =
         J({"clicks" : [ [ 0, 3 ], [ 0, 0 ] ], "board" : [ "....", "...*" ], "include" : [ "wins", "board", "face" ]}),
     .status = 200},
    {"/mine", .type = JSON, .accept = SVG,
     .body = J({"rows" : 2, "cols" : 4, "mines" : [[ 1, 3 ]], "clicks" : [ [ 0, 3 ], [ 0, 0 ] ]}), .status = 200},
    {"/mine", .type = JSON, .body = J({"clicks" : [ [ 0, 3 ], [ 1, 3 ] ], "board" : [ "....", "...*" ]}),
     .status = 422},
    {"/mine", .type = TEXT, .body = "2\n3 3 0\n3 3 1\n1 1\n", .status = 200},
    {"/mine", .type = TEXT, .accept = JSON, .body = "2\n3 3 0\n3 3 1\n1 1\n", .status = 200},
    {"/mine", .type = TEXT, .accept = LINES, .body = "2\n3 3 0\n3 3 1\n1 1\n", .status = 200},
    {"/mine", .type = TEXT, .body = "2\n3 3 0\n3 3 1\n1 3\n", .status = 422},
    {"/mine", .type = TEXT, .accept = LINES, .body = "[]", .status = 422},
    {"/mine", .type = TEXT, .body = " {\"cases\":[{\"board\":[\".\"]},{\"board\":[\"*\"]}]}", .status = 200},
    {"/mine", .type = LINES, .accept = JSON,
     .body = J({"board" : [ "...", ".*." ]}) "\n\n" J({"board" : ["."], "include" : ["board"]}) "\r\n", .status = 200},
    {"/mine", .type = LINES, .accept = TEXT, .body = J({"board" : ["..."]}), .status = 200},
    {"/mine", .type = LINES, .accept = JSON, .body = "{\"board\":[\"x\"]}\n{\"board\":[3]}\n{}\n{\n", .status = 400},
    {"/mine", .type = LINES, .accept = LINES,
     .body = "{\"board\":[\"x\"]}\n{\"board\":[\".\"]}\n{\n{\"id\":1,\"board\":[\"*\"]}", .status = 200},
    {"/mine", .type = LINES, .body = "\n\n", .status = 400},
    {"/mine", .type = JSON, .body = J({"cases" : [ {"board" : ["x"]}, {"board" : [3]}, {}, {"id" : 8, "rows" : 1.5} ]}),
     .status = 422},
    {"/mine", .type = JSON, .body = J({"cases" : [ {"board" : ["."]} ], "cases" : [], "more" : 1, "\u00e9" : 2}),
     .status = 422},
    {"/mine", .type = JSON, .body = J({"cases" : []}), .status = 422},
    {"/mine", .type = JSON, .accept = LINES, .body = J({"cases" : 1}), .status = 422},
    {"/mine", .type = JSON, .body = "{\"board\":[" TEN(TEN("\"x\",")) "\".\"]}", .status = 422},
    {"/mine", .type = JSON, .body = J({"rows" : 99, "cols" : 99, "mines" : [], "board" : ["."]}), .status = 422},
    {"/mine", .type = JSON, .accept = SVG, .body = J({"rows" : 200, "cols" : 200, "mines" : []}), .status = 406},
    {"/mine", .type = JSON, .accept = SVG, .body = J({"cases" : [ {"board" : ["."]} ]}), .status = 406},
    {"/mine", .type = JSON,
     .body = J({
         "cases" :
             [ {"rows" : 200, "cols" : 200, "mines" : []}, {"id" : "x", "rows" : 200, "cols" : 200, "mines" : []} ]
     }),
     .status = 422},
    {"/mine", .type = JSON, .body = "{\"cases\":", .status = 400},
    {"/mine", .type = JSON, .body = "1\n3 3 0\n", .status = 400},
    {"/mine", .type = JSON, .body = "", .status = 400},
    {"/mine", .type = JSON, .body = "[" TEN(THOUSAND("1,1,1,1,1,")) "1]", .status = 413},
    {"/mine", .type = LINES, .body = "[" TEN(THOUSAND("1,1,1,1,1,")) "1]\n{\"board\":[\".\"]}", .status = 200},
    {"/mine?case=%7B%22board%22:%5B%22..*%22%5D%7D&format=json", .status = 200},
    {"/mine?case=%7B%22board%22:%5B%22..*%22%5D%7D&format=text", .status = 200},
    {"/mine?case=%7B%22board%22:%5B%22..*%22%5D%7D&format=svg", .status = 200},
    {"/mine?case=%7B%22board%22:1%7D&x=1", .status = 400},
    {"/mine?case=%7B", .status = 400},

    /* ---- forms that mean the same as others ---- */
    {"/pawn", .type = TEXT, .body = "O.O\nX..\n\nO.O\n###\nX..\n", .status = 200},
    {"/pawn", .type = TEXT, .accept = TEXT, .body = "\r\n  O.O\r\n X..\r\n", .status = 422},
    {"/pawn", .type = JSON, .accept = TEXT, .body = "\r\nO.O\r\nX..\r\n", .status = 200},
    {"/pawn", .type = JSON, .accept = LINES, .body = "O.O\nX.\n\no.o\nx..", .status = 200},
    {"/mine", .type = TEXT, .body = "*1\n11\n\n\n.", .status = 200},
    {"/mine", .type = TEXT, .accept = TEXT, .body = "*.\n11\n", .status = 200},
    {"/mine", .type = TEXT, .accept = LINES, .body = "*1\n12\n\n.*", .status = 200},
    {"/mine", .type = TEXT, .body = "*1\n12\n\n.x\n", .status = 422},
    {"/go?include=score&game=2", .type = JSON, .accept = JSON, .body = " (;)(;B[aa])", .status = 200},
    {"/go?game=2", .type = JSON, .body = "{\"moves\":[]}", .status = 400},
    {"/go", .type = TEXT, .accept = LINES, .body = "(;)(;B[aa])", .status = 200},
    {"/pawn", .type = JSON "; charset=latin1",
     .body = J({"id" : "\u00e9", "board" : "O.O\nX..\n", "include" : ["case"]}), .status = 200},
    {"/pawn", .type = JSON "; charset=latin1", .body = "{\"id\":\"\xe9\"}", .status = 415},
    {"/pawn", .type = JSON, .body = J([ "O.O", "X.." ]), .status = 200},
    {"/pawn", .type = LINES, .body = "\"O.O\\nX..\"\n[\"O.O\",\"X..\"]\n[{}]", .status = 200},
    {"/pawn", .type = JSON, .body = J({"board" : [ "OXO", "..." ], "include" : [ "line", "moves", "boards" ]}),
     .status = 200},
    {"/pawn", .type = JSON, .accept = SVG, .body = J({"board" : [ "..O", "X.." ]}), .status = 200},
    {"/pawn", .type = JSON, .accept = SVG, .body = J({"board" : [ "..O", "O.." ]}), .status = 200},
    {"/pawn", .type = JSON, .body = J({
                                "turn" : "b",
                                "cases" : [ {"board" : [ "O.O", "X.." ]}, {"board" : "O.O\nX..", "turn" : "R"} ],
                                "include" : ["case"]
                            }),
     .status = 200},
    {"/pawn", .type = JSON,
     .body = J({"turn" : "blck", "cases" : [ {}, {} ], "include" : [ "lines", "case" ], "x" : 1}), .status = 422},
    {"/mine", .type = JSON, .accept = LINES,
     .body = J({"states" : 1, "include" : [ "wins", "case" ], "cases" : [ {"board" : ".*"}, {"boards" : 1} ]}),
     .status = 200},
    {"/mine", .type = JSON, .body = J([ {"board" : "*1\n11"}, {"id" : 1, "board" : "*2\n11"} ]), .status = 422},
    {"/go", .type = JSON,
     .body = J({
         "rules" : {"ko" : "simple"},
         "cases" : [
             {"setup" : "...\n.B.\n...", "moves" : [ "a1", "W b3", [2, 2], { "name" : "C3" }, {"pass" : true} ]},
             {"moves" :
                  [ {"move" : 3, "color" : "w", "at" : [ 3, 3 ], "name" : "D16", "reason" : "suicide"}, "pass" ]}
         ]
     }),
     .status = 200},
    {"/go", .type = JSON,
     .body = J({"moves" : [ "D44", "X D4", {"at" : [ 1, 1 ], "name" : "D4"}, {"colour" : "B"}, {"pass" : false}, 7 ]}),
     .status = 422},
    {"/pawn?case=%22O.O%5CnX..%22", .status = 200},

    /* ---- requests with a failure of their own ---- */
    {"/mine", .type = JSON, .body = J({"board" : ["."]}), .status = 500, .not_parsed = true},
    {"/mine", .type = JSON, .body = J({"cases" : [ {"board" : ["."]} ]}), .status = 500, .not_parsed = true},
    {"/mine", .type = LINES, .body = J({"id" : 1, "board" : ["."]}), .status = 200, .not_parsed = true},
    {"/mine", .type = JSON, .body = J({"board" : ["."], "id" : 3, "include" : ["board"]}), .status = 503,
     .unpaid = true},
};
const size_t torture_request_count = sizeof torture_requests / sizeof *torture_requests;

void torture_lower_limits(struct limits *limits) {
    test_set_limit(limits, "max_json_values", 40000);
    test_set_limit(limits, "max_answer_bytes", 64 << 10);
    test_set_limit(limits, "max_link_answer_bytes", 12 << 10);
    test_set_limit(limits, "max_stream_bytes", 64);
    test_set_limit(limits, "max_moves_total", 103);
    test_set_limit(limits, "max_mine_cells_total", 50000);
}
