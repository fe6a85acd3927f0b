import { timeIdPrefix } from '@darkroom-service/contract';
import {
  type Kernel,
  prepare,
  prepareSharedUpdate,
  type Session,
  type Store,
  type Transaction,
} from '@darkroom-service/darkroom/kernel';
import type { SilentProcess } from '@darkroom-service/store';
import type { RawBuilder } from 'kysely';
import { REPEATED_WITHIN_MS, type Repetition } from './calls.ts';

/** Time after the client's departure in which the next equal request from any client gets the call. */
const CLAIMED_WITHIN_MS = 120_000;
/** Bit of a call's first try in `attached`. */
const FIRST_TRY = 1;

/**
 * End of a request of a call: `delivered` with its result, `told` with the address of the result, or `left` before
 * either was sent.
 */
export type RequestEnd = 'delivered' | 'told' | 'left';

/** The ends of requests without a result. */
export type UnansweredEnd = Exclude<RequestEnd, 'delivered'>;

interface EndArguments {
  id: string;
  process: string;
  now: number;
}

/**
 * Number of calls that one statement records as delivered. A record is padded to this number, so that one is prepared.
 */
export const DELIVERED_AT_ONCE = 64;
const PLACES = Array.from({ length: DELIVERED_AT_ONCE }, (_, place) => `call${place}`);

/**
 * Records calls as delivered. Another process may answer a later request of the same call: then only its end counts.
 */
const updateDelivered = prepare<Record<string, string | number>, unknown>(
  'openai_calls_delivered',
  (builder, argument) =>
    builder
      .updateTable('openai_calls')
      .set({ delivered_at: argument('now') as RawBuilder<number>, left_at: null, process: null })
      .where(
        'id',
        'in',
        PLACES.map((place) => argument(place) as RawBuilder<string>),
      )
      .where((expression) =>
        expression.or([
          expression('process', '=', argument('process') as RawBuilder<string>),
          expression('process', 'is', null),
        ]),
      ),
);

/** Statements like `updateDelivered`, by kind of end. */
const ENDS = {
  told: prepare<EndArguments, unknown>('openai_call_told', (builder, argument) =>
    builder
      .updateTable('openai_calls')
      .set({ process: null })
      .where('id', '=', argument('id'))
      .where('process', '=', argument('process')),
  ),
  left: prepare<EndArguments, unknown>('openai_call_left', (builder, argument) =>
    builder
      .updateTable('openai_calls')
      .set({ left_at: argument('now'), process: null })
      .where('id', '=', argument('id'))
      .where('delivered_at', 'is', null)
      .where((expression) =>
        expression.or([expression('process', '=', argument('process')), expression('digest', 'is', null)]),
      ),
  ),
};

const updateProcess = prepare<{ id: string; process: string }, unknown>('openai_call_process', (builder, argument) =>
  builder
    .updateTable('openai_calls')
    .set({ process: argument('process'), left_at: null })
    .where('id', '=', argument('id'))
    .where('digest', 'is not', null)
    .where('delivered_at', 'is', null),
);

interface ClaimArguments {
  key: string;
  digest: string;
  process: string;
  leftAfter: number;
  createdAfter: number;
}

/**
 * Claims a left call. The call begins again with this try, so the retries of its client are counted from here. One
 * statement, so that of two equal requests only one gets it.
 */
const claimLeft = prepareSharedUpdate<ClaimArguments, { id: string }, 'openai_calls'>(
  'openai_call_claim_left',
  {
    row: 'digest',
    types: { key: 'text', digest: 'text', process: 'text', leftAfter: 'bigint', createdAfter: 'bigint' },
  },
  (builder, argument) =>
    builder
      .updateTable('openai_calls')
      .set({ attached: FIRST_TRY, left_at: null, process: argument('process') })
      .where('openai_calls.left_at', 'is not', null)
      .where('openai_calls.id', '=', (expression) =>
        expression
          .selectFrom('openai_calls as left')
          .select('left.id')
          .where('left.api_key_id', '=', argument('key'))
          .where('left.digest', '=', argument('digest'))
          .where('left.created_at', '>', argument('createdAfter'))
          .where('left.left_at', '>', argument('leftAfter'))
          .orderBy('left.left_at')
          .orderBy('left.id')
          .limit(1),
      )
      .returning('openai_calls.id as id'),
);

/**
 * Tracks whether a client may have left without its answer lately. Only then is a search for its call worth a
 * statement: the embedded database has one process, which knows.
 */
export class RecentDisconnects {
  #checkUntil = 0;

  /** Reads whether a client left shortly before. */
  async look({ store, clock }: Pick<Kernel, 'clock' | 'store'>): Promise<void> {
    if (await hasLeftCalls(store.read, clock.now())) this.record(clock.now());
  }

  record(now: number): void {
    this.#checkUntil = now + CLAIMED_WITHIN_MS;
  }

  mayBeAmong({ kind }: Pick<Store, 'kind'>, now: number): boolean {
    return kind === 'postgres' || now < this.#checkUntil;
  }
}

/** Tells whether a call's client left so recently that an equal request may claim it. */
async function hasLeftCalls(session: Session, now: number): Promise<boolean> {
  const left = session.builder
    .selectFrom('openai_calls')
    .select('id')
    .where('id', '>', timeIdPrefix('call', now - REPEATED_WITHIN_MS))
    .where('left_at', '>', now - CLAIMED_WITHIN_MS)
    .limit(1);
  return (await session.first(left)) !== undefined;
}

/**
 * Returns the call of an equal request whose client left without its answer; null if there is none. A client that
 * repeats a request without saying so, such as one behind a proxy or an HTTP library with retries, gets its order in
 * this way.
 */
export async function claimAbandonedCall(
  trx: Transaction,
  { keyId, digest, process, now }: Repetition,
): Promise<string | null> {
  const found = await trx.firstShared(claimLeft, {
    key: keyId,
    digest,
    process,
    leftAfter: now - CLAIMED_WITHIN_MS,
    createdAfter: now - REPEATED_WITHIN_MS,
  });
  return found?.id ?? null;
}

/** Records that calls got their answers from this process. @param ids at most `DELIVERED_AT_ONCE` */
export async function recordDelivered(
  trx: Transaction,
  ids: readonly string[],
  { process, now }: { readonly process: string; readonly now: number },
): Promise<void> {
  const calls = PLACES.map((place, index) => [place, ids[index] ?? ids[0] ?? '']);
  await trx.run(updateDelivered, { ...Object.fromEntries(calls), process, now });
}

/** Records the end of a call's request at this process without a result. */
export async function recordEnd(
  trx: Transaction,
  id: string,
  { end, process, now }: { readonly end: UnansweredEnd; readonly process: string; readonly now: number },
): Promise<void> {
  await trx.run(ENDS[end], { id, process, now });
}

/** Records that this process answers a call from now on: another one redirected its client. */
export async function holdCallHere(trx: Transaction, id: string, process: string): Promise<void> {
  await trx.run(updateProcess, { id, process });
}

/**
 * Records that the clients of processes that have ended left without their answers.
 * @param lost processes that have presumably ended; one with another number of heartbeats lives
 * @returns the number of calls
 */
export async function abandonCallsOfEnded(
  trx: Transaction,
  lost: readonly Pick<SilentProcess, 'id' | 'beats'>[],
  now: number,
): Promise<number> {
  const ended = trx.builder
    .selectFrom('processes')
    .select('id')
    .where((expression) =>
      expression.or([
        expression('ended_at', 'is not', null),
        ...lost.map(({ id, beats }) => expression.and([expression('id', '=', id), expression('beats', '=', beats)])),
      ]),
    );
  return await trx.run(abandonUnanswered(trx, now).where('process', 'in', ended));
}

/** Marks the unanswered calls of a stopping process as left. @returns the number of calls */
export async function abandonCalls(trx: Transaction, process: string, now: number): Promise<number> {
  return await trx.run(abandonUnanswered(trx, now).where('process', '=', process));
}

function abandonUnanswered({ builder }: Transaction, now: number) {
  return builder
    .updateTable('openai_calls')
    .set({ left_at: now, process: null })
    .where('id', '>', timeIdPrefix('call', now - REPEATED_WITHIN_MS));
}
