#define SET_BITS 64
#define ANALYSE pawn_layers_analyse_64
#include "pawn/layers_template.h"
