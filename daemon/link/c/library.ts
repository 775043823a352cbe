/** What C's library declares, and systems beside it: names that a program finds without a file of its own. */
export const standardNames: ReadonlySet<string> = new Set(
  `NULL EOF FILE DIR size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t
  uint64_t intmax_t uintmax_t off_t pid_t time_t mode_t va_list va_start va_end va_arg va_copy errno assert offsetof
  abort exit atexit malloc calloc realloc free memcpy memmove memset memcmp memchr strlen strcmp strncmp strcasecmp
  strncasecmp strcpy strncpy strcat strncat strchr strrchr strstr strdup strtol strtoul strtoll strtoull strtod strerror
  printf fprintf sprintf snprintf vsnprintf vfprintf vprintf puts fputs putchar fputc getc fgets fopen fclose fread
  fwrite fflush fseek ftell rewind feof ferror perror stdin stdout stderr sscanf scanf atoi atol atoll atof qsort bsearch
  rand srand getenv setenv system abs labs isdigit isalpha isalnum isspace isupper islower isxdigit isprint toupper
  tolower time clock gettimeofday localtime gmtime mktime strftime sleep usleep open close read write lseek unlink stat
  fstat fork execve waitpid kill getpid signal sigaction socket bind listen accept connect send recv select poll INT_MAX
  INT_MIN UINT_MAX LONG_MAX LONG_MIN LLONG_MAX LLONG_MIN ULONG_MAX SIZE_MAX SSIZE_MAX CHAR_BIT UINT64_MAX INT64_MAX INT64_MIN
  UINT32_MAX INT32_MAX EINTR EAGAIN EINVAL ENOMEM ENOENT EXIT_SUCCESS EXIT_FAILURE SEEK_SET SEEK_END SEEK_CUR true false
  bool isnan isinf isfinite signbit getaddrinfo freeaddrinfo gai_strerror getsockopt setsockopt getpeername getsockname
  shutdown strerror_r pthread_t pthread_mutex_t pthread_create pthread_join pthread_mutex_lock
  pthread_mutex_unlock`.split(/\s+/),
);
