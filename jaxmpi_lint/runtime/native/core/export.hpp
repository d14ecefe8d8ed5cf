// What the interposing libraries and the Python extension may call in the core.
#pragma once

#define JAXMPI_EXPORT __attribute__((visibility("default")))
