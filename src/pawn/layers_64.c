#include "pawn/layers.h"

#define SET_BITS 64
#include "pawn/layers_template.h"

enum outcome pawn_layers_analyse_64(struct pawn_question *question, enum pawn_side side, struct arena *arena,
                                    struct work *work) {
    return analyse(question, side, arena, work);
}
