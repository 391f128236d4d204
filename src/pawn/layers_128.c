#include "pawn/layers_128.h"

#define SET_BITS 128
#define LAYERS_GROW pawn_layers_grow_128
#include "pawn/layers_template.h"
