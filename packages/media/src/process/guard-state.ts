/** Indices into the memory that a process shares with its guard thread, each a 32-bit integer. */
export const GUARDING = 0;
/** Processor time of the process at which the job reaches its limit (ms). */
export const CPU_LIMIT = 1;
/** Index in the shared memory of the memory limit, in MiB. */
export const MEMORY_LIMIT = 2;
/** Id of the parent process. */
export const PARENT = 3;
export const TICK = 4;
export const SLOT_COUNT = 5;
