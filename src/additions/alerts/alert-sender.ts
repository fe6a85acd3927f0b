import { withJitter } from '../../base/back-off.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startWorkLoop } from '../../base/work-loop.ts';
import type { Database } from '../../database/database.ts';
import type { AlertData } from './alert-data.ts';
import {
  type AlertMessage,
  claimMessages,
  finishMessage,
  MESSAGE_LEASE_MS,
  nextMessageInMs,
} from './alert-messages.ts';
import type { SendAlert } from './send-alert.ts';

/** Sends messages about alerts until the receiver accepts them or the last attempt has failed. */
interface AlertSender {
  wake(): void;
  stop(): Promise<void>;
}

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
/** The first attempt is made at once; the seventh is the last, less than four hours later. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const LOOK_EVERY_MS = 5 * SECOND;

export function startAlertSender(options: AlertSenderOptions): AlertSender {
  const { database, clock, log, pausesMs = PAUSES_MS } = options;
  const stopped = new AbortController();
  const loop = startWorkLoop({
    look: sendDue,
    restMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error }, 'could not claim messages about alerts; retrying'),
  });
  return {
    wake: () => loop.wake(),
    async stop() {
      stopped.abort(new Error('the service stops'));
      await loop.stop();
    },
  };

  async function sendDue(): Promise<number> {
    const inMs = await nextMessageInMs(database.read);
    if (inMs === null || inMs > 0) return Math.min(LOOK_EVERY_MS, inMs ?? LOOK_EVERY_MS);
    const claimed = await database.write('alert_claim', (trx) => claimMessages(trx, MESSAGE_LEASE_MS));
    await Promise.all(claimed.map(send));
    // Due messages may wait behind an earlier one of their alert.
    return claimed.length === 0 ? LOOK_EVERY_MS : 0;
  }

  async function send(message: AlertMessage): Promise<void> {
    const { id, type, attempts } = message;
    const data = JSON.parse(message.data_json) as AlertData;
    const error = await options.send({ id, type, data, now: clock.now(), signal: stopped.signal });
    // A stop is not the receiver's fault: the lease expires and the attempt is made again.
    if (stopped.signal.aborted && error !== null) return;
    const pause = error === null ? undefined : pausesMs[attempts - 1];
    const nextInMs = pause === undefined ? null : withJitter(pause);
    const facts = { kind: data.kind, subject: data.subject, reason: error, attempt: attempts };
    if (error !== null && nextInMs === null) log.error(facts, 'could not deliver an alert; giving up');
    else if (error !== null) log.warn(facts, 'could not deliver an alert; retrying');
    await database.write('alert_attempt', (trx) => finishMessage(trx, message, { error, now: clock.now(), nextInMs }));
  }
}
