import type { ProcessState } from '../../src/routing/process-state.ts';

/** The facts of a process that knows of no other. */
export const ONLY_PROCESS: ProcessState = {
  refusedKey: () => null,
  keyRefused: async () => false,
  tryKey: () => {},
  withOtherKey: () => 0,
  isElsewhere: () => false,
  stored: () => {},
  isCutOff: () => false,
  spendLimit: () => null,
  priced: () => [],
  all: () => [],
  stop: async () => {},
};
