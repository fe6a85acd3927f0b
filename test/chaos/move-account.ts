import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDarkroom } from '../run-darkroom.ts';
import { promise } from './broken-promise.ts';
import { urlsOf } from './installations.ts';
import type { Premises } from './premises.ts';

/** The steps of `darkroom accounts move` that it tells of. */
export const MOVE_STEPS = ['entered', 'fenced', 'copied', 'closed', 'compared', 'moved', 'open', 'removed'] as const;

const AGAIN_AFTER_MS = 500;
/** The machine of a test has other things to do, and other faults happen meanwhile. */
const MOVED_WITHIN_MS = 240_000;

export interface MoveOptions {
  readonly from: Premises;
  readonly to: Premises;
  /** The command is killed after these steps, each in a run of its own. */
  readonly killAfter: readonly string[];
  readonly tell: (what: string) => void;
  readonly signal: AbortSignal;
}

/** Moves the account that has no admin key to another cell, and runs the command again until it has moved. */
export async function moveAccount({ from, to, killAfter, tell, signal }: MoveOptions): Promise<void> {
  const settings = join(from.directory, 'other-cell.env');
  await writeFile(
    settings,
    Object.entries(to.variables)
      .map((pair) => pair.join('='))
      .join('\n'),
  );
  const [url = '', fromUrl = ''] = [to, from].map((premises) => urlsOf(premises)[0]);
  const account = from.accounts.at(-1) ?? '';
  const words = ['accounts', 'move', account, '--to', to.cell ?? '', '--settings', settings];
  const end = performance.now() + MOVED_WITHIN_MS;
  for (const steps = [...killAfter]; ; ) {
    signal.throwIfAborted();
    const run = startDarkroom([...words, '--url', url, '--from-url', fromUrl], from.variables, from.directory);
    const kill = () => run.process.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    for await (const line of createInterface(run.process.stderr!))
      if (line === steps[0]) {
        tell(`killed the move after "${steps.shift()}"`);
        kill();
        break;
      }
    const { code, stderr } = await run.ended;
    signal.removeEventListener('abort', kill);
    if (code === 0) return tell('moved an account to the other cell');
    promise(performance.now() < end, `${account} did not move: ${stderr}`);
    if (code !== null) tell(`the move ended early: ${stderr.trim().split('\n').at(-1)}`);
    await sleep(AGAIN_AFTER_MS);
  }
}
