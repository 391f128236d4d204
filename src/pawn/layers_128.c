#define SET_BITS 128
#define ANALYSE pawn_layers_analyse_128
#include "pawn/layers_template.h"
