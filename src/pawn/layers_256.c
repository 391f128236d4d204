#define SET_BITS 256
#define ANALYSE pawn_layers_analyse_256
#include "pawn/layers_template.h"
