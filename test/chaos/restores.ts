import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenPromise, promise } from './broken-promise.ts';
import { createFleet, type Member } from './fleet.ts';
import { urlsOf } from './installations.ts';
import type { Premises } from './premises.ts';

const ASK_AGAIN_MS = 250;
const ANSWERS_WITHIN_MS = 8_000;
/** The machine of a test has other things to do, and other faults happen meanwhile. */
const DONE_WITHIN_MS = 120_000;

/** A copy of the database is started beside the service, as one tries a backup out, for so long. */
export async function rehearse(premises: Premises, ms: number): Promise<void> {
  const { beside: wish, remove } = await premises.copy();
  const beside = createFleet([wish]);
  try {
    for (const member of beside.members) await member.start();
    await sleep(ms);
    for (const fault of beside.faults) throw fault;
  } finally {
    await beside.close();
    await remove();
  }
}

/** Kills all processes, and starts them again on a copy of the database in the place of the original. */
export async function restore(premises: Premises): Promise<void> {
  await premises.moveToCopy();
  // It is held until a worker has put the open orders into reconciliation.
  const end = performance.now() + DONE_WITHIN_MS;
  while (await insist(premises, 'DELETE', '/admin/v1/hold?as=successor')) {
    promise(performance.now() < end, 'the restored service was never released');
    await sleep(ASK_AGAIN_MS);
  }
}

/** An operator holds the service for so long. */
export async function hold(premises: Premises, ms: number): Promise<void> {
  await insist(premises, 'POST', '/admin/v1/hold');
  await sleep(ms);
  await insist(premises, 'DELETE', '/admin/v1/hold');
}

/** A process is started with DARKROOM_HOLD, and after so long without it. */
export async function startHeld(member: Member, ms: number): Promise<void> {
  await member.kill();
  await member.start({ isSuspended: true });
  await sleep(ms);
  await member.kill();
  await member.start();
}

/**
 * Whichever process answers does it.
 * @returns whether the service is held
 */
async function insist(premises: Premises, method: string, path: string): Promise<boolean> {
  const urls = urlsOf(premises);
  const end = performance.now() + DONE_WITHIN_MS;
  let last: unknown;
  for (let place = 0; performance.now() < end; place++) {
    try {
      const response = await fetch(`${urls[place % urls.length]}${path}`, {
        method,
        headers: { authorization: `Bearer ${premises.adminKey}` },
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      });
      const text = await response.text();
      if (response.ok) return JSON.parse(text).data.held;
      last = text;
      if (response.status !== 503) break;
    } catch (error) {
      last = error;
    }
    await sleep(ASK_AGAIN_MS);
  }
  throw new BrokenPromise(`${method} ${path} was not done: ${last}`);
}
