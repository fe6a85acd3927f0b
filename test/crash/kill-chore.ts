import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../helpers/child-environment.ts';
import type { TestDatabase } from '../helpers/databases.ts';
import type { Chore, ChoreWish } from './chore-process.ts';

/**
 * Runs a chore in processes that are killed right before and right after each of its commits: each survives one moment
 * more than the one before, so that all of them together die everywhere and end.
 * @param assertWhole is called after each kill and at the end
 * @returns the number of kills
 */
export async function killAtEachCommit(
  { address, now, chore }: { readonly address: TestDatabase['address']; readonly now: number; readonly chore: Chore },
  assertWhole: () => Promise<void>,
): Promise<number> {
  const wish = { ...address, files: join(dirname(address.path), 'files'), now, chore };
  let kills = 0;
  for (; (await runIn({ ...wish, survives: kills })) === 'SIGKILL'; kills++) await assertWhole();
  await assertWhole();
  return kills;
}

/** @returns the signal that ended the process; null = it came to its end */
async function runIn(wish: ChoreWish): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'chore-process.ts');
  const child = fork(program, [JSON.stringify(wish)], { env: childEnvironment() as NodeJS.ProcessEnv });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === 'SIGKILL', `the process ended with ${code}, ${signal}`);
  return signal;
}
