#include "core/error.h"
int main(void) { return LS_OK; }
