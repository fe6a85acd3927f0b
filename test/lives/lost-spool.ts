import type { AnswerSpool } from '../../src/worker/spool/answer-spool.ts';

/** Creates a spool in memory that is lost with its process: the next one finds no answer. */
export function createLostSpool(processId: string): AnswerSpool {
  return {
    processId,
    write: async (_key, _facts, answer) => answer,
    remove: async () => {},
    rename: async (_key, _fence, answer) => answer,
    keptPath: () => '',
    keep: async () => {},
    kept: async () => [],
    removeKept: async () => {},
    others: async () => [],
    list: async () => [],
    takeOver: () => Promise.reject(new Error('nobody left an answer')),
    setAside: () => Promise.reject(new Error('nobody left an answer')),
    clear: async () => {},
  };
}
