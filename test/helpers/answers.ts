import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { DiskSpool } from '../../src/worker/spool/answer-spool.ts';
import { UnsavedAnswers } from '../../src/worker/spool/unsaved-answers.ts';

/** Answers in hand of one process, with a spool that nobody else uses. */
export function openTestAnswers(t: Pick<TestContext, 'after'>): UnsavedAnswers {
  const directory = join(tmpdir(), `darkroom-spool-${randomUUID()}`);
  t.after(() => rm(directory, { recursive: true, force: true }));
  return new UnsavedAnswers({
    spool: new DiskSpool(directory, 'one'),
    ended: { take: () => null },
    now: () => Date.now(),
    log: pino({ level: 'silent' }),
  });
}
