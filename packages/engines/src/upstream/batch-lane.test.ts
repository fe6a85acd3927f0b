import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, timeIdPrefix } from '@darkroom-service/contract';
import type { Order } from '../engine.ts';
import { createBatchEngine } from './batch-lane.ts';
import { createReferenceTransfer } from './reference-transfer.ts';

test('an order is looked for on every page, or until the jobs are older than it where the newest come first', async () => {
  const now = systemClock.now();
  const taskId = `${timeIdPrefix('img', now)}0000000000000000`;
  const day = 24 * 3_600_000;
  const jobOf = (name: string | null, createdAt: number) => ({ taskId: name, createdAt, handle: { id: `${name}` } });
  const pages = [[jobOf('img_old', now - day)], [jobOf(null, now - 2 * day), jobOf(taskId, now)]];
  const engineOf = (isNewestFirst: boolean, read: (string | null)[]) =>
    createBatchEngine<{ id: string }>(
      {
        name: 'lane',
        timeoutMs: 1_000,
        secrets: [],
        handOver: createReferenceTransfer({ inline: 0, byAddress: false }),
        submit: () => assert.fail('a look-up orders nothing'),
        check: () => assert.fail('a look-up checks nothing'),
        jobOf: ({ id }) => id,
      },
      {
        isNewestFirst,
        async pageOf(from) {
          read.push(from);
          return { jobs: pages[Number(from ?? 0)] ?? [], next: from === null ? '1' : null };
        },
      },
      { clock: systemClock, log: { warn: () => {} } },
    );
  const find = async (isNewestFirst: boolean) => {
    const read: (string | null)[] = [];
    const order = { taskId } as Order;
    const context = { signal: AbortSignal.timeout(60_000), onProgress: () => {} };
    const found = await engineOf(isNewestFirst, read).find?.(taskId, order, context);
    return [found !== null, read];
  };
  assert.deepEqual(await find(false), [true, [null, '1']]);
  assert.deepEqual(await find(true), [false, [null]]);
});
