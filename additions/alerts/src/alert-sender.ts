import { pauseBeforeNext } from '@darkroom-service/addition-common/sending/attempt-delivery';
import type { Claim, Kernel, WorkQueue } from '@darkroom-service/darkroom/kernel';
import { endWork } from '@darkroom-service/store';
import type { AlertData } from './alert-data.ts';
import { finishMessage, nextMessage } from './alert-messages.ts';
import type { SendAlert } from './send-alert.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Pauses between attempts. The first attempt is made at once; the seventh is the last, less than four hours later. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const AT_ONCE = 4;

/**
 * Starts to send messages about alerts until the receiver accepts them or the last attempt has failed.
 * @param send sends a message once
 */
export function startAlertSender(
  { clock, log, store, work }: Pick<Kernel, 'clock' | 'log' | 'store' | 'work'>,
  send: SendAlert,
): WorkQueue {
  const { addedPausesMs: pausesMs = PAUSES_MS } = work.tempo;
  return work.start({ kind: 'alert', concurrency: AT_ONCE, perform });

  /** Sends the next message of an alert, so that its messages arrive in their order. */
  async function perform(claim: Claim, signal: AbortSignal): Promise<void> {
    const message = await nextMessage(store.read, claim.subject);
    if (message === undefined) {
      await store.write('alert_attempt', (trx) => endWork(trx, claim));
      return;
    }
    const { id, type } = message;
    const data = JSON.parse(message.data_json) as AlertData;
    const answer = await send({ id, type, data, now: clock.now(), signal });
    const { error } = answer;
    // A stop is not the receiver's fault: the attempt is repeated.
    if (error !== null) signal.throwIfAborted();
    const nextInMs = pauseBeforeNext(work, answer, claim.attempts, pausesMs);
    const facts = { kind: data.kind, subject: data.subject, reason: error, attempt: claim.attempts + 1 };
    if (error !== null && nextInMs === null) log.error(facts, 'could not deliver an alert; giving up');
    else if (error !== null) log.warn(facts, 'could not deliver an alert; retrying');
    await store.write('alert_attempt', (trx) =>
      finishMessage(trx, claim, message, { error, now: clock.now(), nextInMs }),
    );
  }
}
