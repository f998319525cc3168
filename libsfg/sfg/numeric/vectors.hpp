#pragma once

// Not installed: a function of loops without branches, for several instruction sets. (Not with the address sanitizer: it reads
// what chooses between them before it can.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SFG_VECTORS [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define SFG_VECTORS
#endif
