#include "ir/value/Value.h"
