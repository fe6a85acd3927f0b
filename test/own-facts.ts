import type { OwnFacts } from '../src/routing/own-facts.ts';

/** The facts of a process that knows of no other. */
export const ONLY_PROCESS: OwnFacts = {
  refusedKey: () => null,
  keyRefused: async () => false,
  tryKey: () => {},
  withOtherKey: () => 0,
  isElsewhere: () => false,
  stored: () => {},
  isCutOff: () => false,
  spendLimit: () => null,
  all: () => [],
  stop: async () => {},
};
