#pragma once

// Not installed: a function of loops without branches, for several instruction sets. (Not with the address sanitizer: it reads
// what chooses between them before it can.)
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SFG_VECTORS_OF(...) [[gnu::target_clones(__VA_ARGS__, "default")]]
#else
#define SFG_VECTORS_OF(...)
#endif
#define SFG_VECTORS SFG_VECTORS_OF("avx512f", "avx2")
