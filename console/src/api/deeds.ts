import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { isRefusal, outcomeUnknown, withinTime } from './answers.ts';
import { ApiError, isOutcomeUnknown, messageOf } from './api-error.ts';
import { type BookedOrder, isUnanswered, lockOf } from './booked-order.ts';
import { type CallOptions, callDeed, callUpload, type DeedAnswer, kindFor } from './client.ts';
import { connectionStore } from './connection.ts';
import type { Values } from './model.ts';
import type { DataOf, Deed, RequestOf } from './operations.ts';
import { bookedOrders, changeOrder, enterOrder, newIdempotencyKey, removeOrder } from './order-book.ts';
import { keyEndOf, secretOf, sessionStore } from './session.ts';
import { queryClient } from './use-api.ts';
import { withLock } from './web-lock.ts';

/** Pauses before a request without an answer is repeated, in milliseconds. After the last, the outcome is unknown. */
const PAUSES_MS = [500, 1_500];
/** Timeout of an upload, in milliseconds. */
const UPLOAD_MS = 600_000;
/** Milliseconds within which a press continues a deed: less than the service remembers an Idempotency-Key. */
const CONTINUED_MS = 12 * 3_600_000;
/** Deeds that another key would carry out a second time. A further press continues one without an answer. */
const ADDING: readonly Deed[] = [
  'POST /admin/v1/accounts',
  'POST /admin/v1/accounts/{account_id}/credit',
  'POST /admin/v1/credits/{credit_id}/take_back',
  'POST /admin/v1/keys',
  'POST /admin/v1/keys/{key_id}/rotate',
  'POST /admin/v1/signing_secrets/rotate',
  'POST /admin/v1/exports',
  'POST /admin/v1/erasures',
  'POST /admin/v1/tasks/ask',
  'POST /admin/v1/tasks/cancel',
  'POST /admin/v1/tasks/give_up',
  'POST /admin/v1/tasks/{task_id}/ask',
  'POST /admin/v1/tasks/{task_id}/cancel',
  'POST /admin/v1/tasks/{task_id}/give_up',
  'POST /admin/v1/tasks/{task_id}/refund',
  'POST /admin/v1/alerts/{alert_id}/acknowledge',
  'POST /admin/v1/alerts/{alert_id}/silence',
  'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver',
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver',
  'POST /admin/v1/invitations',
  'POST /v1/account/invitations',
  'POST /v1/account/keys',
  'POST /v1/account/keys/{key_id}/rotate',
  'POST /v1/account/webhooks/secret/rotate',
  'POST /v1/account/webhooks/test',
  'POST /v1/images/{task_id}/deliveries',
  'POST /v1/videos/{task_id}/deliveries',
  'POST /v1/shares',
];
/** Deeds whose body may hold a token of somebody else's receiver, so it is not written to the browser's storage. */
const UNSTORED: readonly Deed[] = ['POST /v1/account/webhooks/test'];
/** Bodies of such deeds without an answer, by their Idempotency-Key. They last as long as the page. */
const unstoredBodies = new Map<string, Values>();
/** Deeds outside the book without an answer. A further press takes into account that they may have been done. */
const unanswered = new Set<string>();
/** Idempotency-Keys of uploads without an answer, by name, size and date of the file. */
const unansweredUploads = new Map<string, string>();
/** Deeds whose answer has a secret, which only their form shows. */
const SECRET: readonly Deed[] = [
  'POST /admin/v1/invitations',
  'POST /admin/v1/keys',
  'POST /admin/v1/keys/{key_id}/rotate',
  'POST /v1/account/invitations',
  'POST /v1/account/keys',
  'POST /v1/account/keys/{key_id}/rotate',
];

interface Options {
  /** Key of the session to use instead of the key in use. */
  readonly key?: string;
  /** Called with the time of an earlier press if that had already carried out the deed. */
  readonly onEarlier?: (at: number) => void;
}

/**
 * Does one deed that is not an order. A `POST` is written into the book with its Idempotency-Key before it is sent, and
 * is repeated with that key while there is no answer. If there is none in the end, it stays in the book, and the same
 * press continues it.
 * @param title name of a `POST` in the list of orders
 * @throws ApiError; `isOutcomeUnknown` if it may have been done
 */
export async function perform<D extends Deed>(
  deed: D,
  request: RequestOf<D>,
  title: string = deed,
  { key, onEarlier }: Options = {},
): Promise<DataOf<D>> {
  const session = sessionStore.get();
  const secret = key ?? session.keys[kindFor(deed.slice(deed.indexOf('/')))] ?? '';
  if (!deed.startsWith('POST ')) return await performUnbooked(deed, request, secret);
  const earlier = continued(deed, request, secret);
  const idempotencyKey = earlier?.idempotencyKey ?? newIdempotencyKey();
  if (earlier === null) {
    const isStored = !UNSTORED.includes(deed);
    if (!isStored) unstoredBodies.set(idempotencyKey, request as Values);
    const body = isStored ? (request as Values) : null;
    enterOrder({ kind: 'deed', deed, body, idempotencyKey }, { title, price: '' }, secret);
  }
  try {
    const { data, isReplayed } = await sendBooked(deed, request, idempotencyKey, secret, earlier !== null);
    if (isReplayed && earlier !== null) onEarlier?.(earlier.at);
    removeOrder(idempotencyKey);
    return data;
  } catch (error) {
    // The form shows the error.
    if (!isOutcomeUnknown(error)) removeOrder(idempotencyKey);
    throw error;
  }
}

/** Does a deed that may be repeated without further effect. */
async function performUnbooked<D extends Deed>(deed: D, request: RequestOf<D>, secret: string): Promise<DataOf<D>> {
  const text = `${deed} ${JSON.stringify(request)}`;
  const wasSent = unanswered.delete(text);
  try {
    return (await untilAnswered(deed, request, { key: secret }, wasSent)).data;
  } catch (error) {
    if (isOutcomeUnknown(error)) unanswered.add(text);
    throw error;
  }
}

/** Repeats an unconfirmed deed of the book whose form is no longer open. The book then shows the outcome. */
export async function repeatDeed({ deed, body, idempotencyKey, ...order }: BookedOrder): Promise<void> {
  const secret = secretOf(order, sessionStore.get());
  if (deed === null || body === null || secret === null) return;
  try {
    await sendBooked(deed, body as RequestOf<Deed>, idempotencyKey, secret, true);
    changeOrder(idempotencyKey, { state: 'placed', body: null, endedAt: Date.now() });
    void queryClient.invalidateQueries();
  } catch (error) {
    // The book shows the error.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Tells whether a deed can be repeated without its form. */
export function isRepeatable({ deed, body, at }: Pick<BookedOrder, 'deed' | 'body' | 'at'>): boolean {
  return deed !== null && body !== null && !SECRET.includes(deed) && Date.now() - at < CONTINUED_MS;
}

/** Uploads one file. If it is chosen again after a lost answer, the same upload continues. @throws ApiError */
export async function uploadFile(file: File): Promise<DataOf<'POST /v1/files'>> {
  const name = `${file.name} ${file.size} ${file.lastModified}`;
  const earlier = unansweredUploads.get(name);
  const key = earlier ?? newIdempotencyKey();
  unansweredUploads.delete(name);
  try {
    const headers = { 'idempotency-key': key };
    return await repeated((signal) => callUpload(file, { headers, signal }), earlier !== undefined, UPLOAD_MS);
  } catch (error) {
    if (isOutcomeUnknown(error)) unansweredUploads.set(name, key);
    throw error;
  }
}

/** Sends a deed of the book, and records there if it was refused or has no answer. */
async function sendBooked<D extends Deed>(
  deed: D,
  request: RequestOf<D>,
  idempotencyKey: string,
  key: string,
  wasSent: boolean,
): Promise<DeedAnswer<D>> {
  return await withLock(lockOf({ idempotencyKey }), async () => {
    changeOrder(idempotencyKey, { state: 'sending' });
    try {
      return await untilAnswered(deed, request, { key, headers: { 'idempotency-key': idempotencyKey } }, wasSent);
    } catch (error) {
      if (isOutcomeUnknown(error)) changeOrder(idempotencyKey, { state: 'unconfirmed' });
      else changeOrder(idempotencyKey, { state: 'refused', reason: messageOf(error), endedAt: Date.now() });
      throw error;
    }
  });
}

async function untilAnswered<D extends Deed>(
  deed: D,
  request: RequestOf<D>,
  options: CallOptions,
  wasSent: boolean,
): Promise<DeedAnswer<D>> {
  return await repeated(async (signal, isRepeated) => {
    try {
      return await callDeed(deed, request, { ...options, signal });
    } catch (error) {
      const isGone = isRepeated && error instanceof ApiError && error.status === 404;
      // An attempt without an answer had deleted it.
      if (isGone && deed.startsWith('DELETE ')) return { data: undefined as unknown as DataOf<D>, isReplayed: true };
      throw error;
    }
  }, wasSent);
}

/** Sends a request, and repeats it while there is no answer. */
async function repeated<T>(
  send: (signal: AbortSignal, isRepeated: boolean) => Promise<T>,
  wasSent: boolean,
  milliseconds?: number,
): Promise<T> {
  for (let count = 0; ; count++) {
    const isRepeated = wasSent || count > 0;
    try {
      return await withinTime((signal) => send(signal, isRepeated), milliseconds);
    } catch (error) {
      if (isRefusal(error, isRepeated)) throw error;
      const pause = PAUSES_MS[count];
      if (pause === undefined || (error instanceof ApiError && error.code === 'unanswered')) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  // After a silence, everything is read again once the service answers.
  if (connectionStore.get() === 'up') void queryClient.invalidateQueries();
  throw outcomeUnknown();
}

/** Returns the deed without an answer that a press continues. Removes obsolete ones of the same resource. */
function continued(deed: Deed, request: object, secret: string): BookedOrder | null {
  const text = JSON.stringify(request);
  const path = pathOf(request);
  for (const order of bookedOrders()) {
    if (order.deed === null || !isUnanswered(order) || order.keyEnd !== keyEndOf(secret)) continue;
    if (!ADDING.includes(order.deed)) {
      if (path !== undefined && pathOf(order.body) === path) removeOrder(order.idempotencyKey);
    } else if (order.deed === deed && Date.now() - order.at < CONTINUED_MS) {
      const body = order.body ?? unstoredBodies.get(order.idempotencyKey);
      if (JSON.stringify(body) === text) return order;
    }
  }
  return null;
}

function pathOf(request: object | null): string | undefined {
  return request === null ? undefined : JSON.stringify((request as { readonly path?: object }).path);
}

/**
 * Returns the mutation of a form or a button: `useDeed(() => perform(deed, request), onClose)`. Afterwards, also after
 * an error, everything that the page shows is refetched.
 * @param onDone called when it is done and refetched
 */
export function useDeed<Data, What = void>(
  act: (what: What) => Promise<Data>,
  onDone?: (data: Data, what: What) => unknown,
): UseMutationResult<Data, Error, What> {
  return useMutation({
    mutationFn: act,
    onSuccess: async (data, what) => {
      await queryClient.invalidateQueries();
      await onDone?.(data, what);
    },
    onError: () => void queryClient.invalidateQueries(),
  });
}
