import { pauseBeforeNext } from '@darkroom-service/addition-common/sending/attempt-delivery';
import type { Clock } from '@darkroom-service/contract';
import {
  type Claim,
  type Database,
  endWork,
  type Log,
  startWorkQueue,
  type WorkQueue,
} from '@darkroom-service/darkroom/kernel';
import type { AlertData } from './alert-data.ts';
import { finishMessage, nextMessage } from './alert-messages.ts';
import type { SendAlert } from './send-alert.ts';

interface AlertSenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly send: SendAlert;
  /** Pauses between attempts, for tests that cannot wait for the real ones. */
  readonly pausesMs?: readonly number[] | undefined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Pauses between attempts. The first attempt is made at once; the seventh is the last, less than four hours later. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const AT_ONCE = 4;

/** Sends messages about alerts until the receiver accepts them or the last attempt has failed. */
export function startAlertSender(options: AlertSenderOptions): WorkQueue {
  const { database, clock, log, pausesMs = PAUSES_MS } = options;
  return startWorkQueue({ database, log, kind: 'alert', concurrency: AT_ONCE, perform: send });

  /** Sends the next message of an alert, so that its messages arrive in their order. */
  async function send(claim: Claim, signal: AbortSignal): Promise<void> {
    const message = await nextMessage(database.read, claim.subject);
    if (message === undefined) {
      await database.write('alert_attempt', (trx) => endWork(trx, claim));
      return;
    }
    const { id, type } = message;
    const data = JSON.parse(message.data_json) as AlertData;
    const answer = await options.send({ id, type, data, now: clock.now(), signal });
    const { error } = answer;
    // A stop is not the receiver's fault: the attempt is repeated.
    if (error !== null) signal.throwIfAborted();
    const nextInMs = pauseBeforeNext(answer, claim.attempts, pausesMs);
    const facts = { kind: data.kind, subject: data.subject, reason: error, attempt: claim.attempts + 1 };
    if (error !== null && nextInMs === null) log.error(facts, 'could not deliver an alert; giving up');
    else if (error !== null) log.warn(facts, 'could not deliver an alert; retrying');
    await database.write('alert_attempt', (trx) =>
      finishMessage(trx, claim, message, { error, now: clock.now(), nextInMs }),
    );
  }
}
