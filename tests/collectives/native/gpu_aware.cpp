// An MPI library that says that it takes pointers to a GPU's memory; loaded before the real one.
extern "C" __attribute__((visibility("default"))) int MPIX_Query_cuda_support(void) { return 1; }
