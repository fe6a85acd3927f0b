import { type AnswerKey, folderOf } from '../../src/worker/spool/answer.ts';
import type { AnswerSpool } from '../../src/worker/spool/answer-spool.ts';
import { DamagedAnswer } from '../../src/worker/spool/spooled-answer.ts';
import { never, type ProcessFaults } from './faulty-database.ts';

/** The disk of a machine for answers, in memory. It keeps what was written when a process dies or the power is cut. */
export interface MachineSpool {
  /** Opens the spool for the only process that runs on the machine. */
  open(processId: string, faults: ProcessFaults): AnswerSpool;
}

type Spooled = Awaited<ReturnType<AnswerSpool['takeOver']>>;

export function createMachineSpool(): MachineSpool {
  const folders = new Map<string, Map<string, Spooled>>();
  const kept = new Map<string, AnswerKey>();
  return {
    open(processId, faults) {
      const own = new Map<string, Spooled>();
      folders.set(processId, own);
      const take = (from: Map<string, Spooled> | undefined, key: AnswerKey): Spooled => {
        const spooled = from?.get(folderOf(key));
        if (spooled === undefined) throw new Error(`${folderOf(key)} is not spooled`);
        from?.delete(folderOf(key));
        return spooled;
      };
      return {
        processId,
        async write(key, { engine, savedAt }, answer) {
          faults.at('before an answer is spooled');
          if (faults.isDead()) await never();
          if (faults.happens('fullDisks', 'an answer that is spooled')) throw new Error('the disk is full');
          own.set(folderOf(key), { key, engine, savedAt, answer });
          faults.meet('spool: written');
          faults.at('after an answer was spooled');
          if (faults.isDead()) await never();
          return answer;
        },
        remove: async (key) => void own.delete(folderOf(key)),
        async rename(key, fence, answer) {
          const renamed = { ...take(own, key), key: { ...key, fence } };
          own.set(folderOf(renamed.key), renamed);
          return answer;
        },
        keptPath: folderOf,
        async keep(key) {
          kept.set(folderOf(key), take(own, key).key);
          faults.meet('spool: kept as a late result');
        },
        async keepUnread(key) {
          kept.set(folderOf(key), key);
          return folderOf(key);
        },
        kept: async () => [...kept.values()],
        removeKept: async (key) => void kept.delete(folderOf(key)),
        others: async () =>
          [...folders].flatMap(([id, { size }]) => (id === processId || size === 0 ? [] : { processId: id, path: id })),
        list: async (ended) => [...(folders.get(ended.processId)?.values() ?? [])].map(({ key }) => key),
        async takeOver(ended, key) {
          if (faults.happens('storageFaults', 'a spooled answer, damaged')) throw new DamagedAnswer('half a file');
          const spooled = take(folders.get(ended.processId), key);
          own.set(folderOf(key), spooled);
          faults.meet('spool: taken over');
          return spooled;
        },
        async setAside(ended, key) {
          take(folders.get(ended.processId), key);
          faults.meet('spool: set aside');
          return folderOf(key);
        },
        clear: async () => {},
      };
    },
  };
}
