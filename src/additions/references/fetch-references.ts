import { ServiceError } from '@darkroom-service/contract';
import { ReferenceFault } from '@darkroom-service/media';
import { endWork } from '@darkroom-service/store';
import type { Claim, Kernel, StoredMedia, TaskMedia, TaskRow, Transaction } from '../../kernel.ts';
import { LostClaim } from '../../kernel-orders.ts';
import { isUnfetched, mediaOf, taskFileKey } from '../../kernel-views.ts';
import { admitFetched, postponeFetch } from './store-fetched.ts';

/** Number of attempts for a reference with a temporary error, such as a busy host. */
const ATTEMPTS = 4;
/** Free space of a key below which an error states it, because it may be the reason. */
const SCARCE_BYTES = 500_000_000;

export type FetchKernel = Pick<Kernel, 'files' | 'gates' | 'orders' | 'store' | 'work'>;
type Turns = ReturnType<Kernel['work']['turns']>;

/** An order whose references a process fetches. */
interface Fetch {
  readonly claim: Claim;
  readonly task: TaskRow;
}

/** Limits of the downloads of one process. */
interface FetchTurns {
  /** Limits the downloads per host. */
  readonly hosts: Turns;
  /** Limits all downloads together. */
  readonly all: Turns;
}

/**
 * Downloads the references of a claimed order into our storage, one after the other. Then makes the order claimable for
 * its engine, fails it, or releases it until the next attempt. Meanwhile only a download slot is held.
 * @throws the signal's reason; StorageError
 */
export async function fetchReferences(
  kernel: FetchKernel,
  turns: FetchTurns,
  { claim, task }: Fetch,
  signal: AbortSignal,
): Promise<void> {
  const media = mediaOf(task);
  const stored: StoredMedia[] = [];
  try {
    for (const [at, medium] of media.entries()) {
      if (!isUnfetched(medium)) continue;
      const fetched = await fetchOne(kernel, turns, { claim, task }, medium, signal);
      media[at] = fetched;
      stored.push(fetched.stored);
    }
  } catch (error) {
    if (!(error instanceof ReferenceFault)) {
      await kernel.files.discard(keysOf(stored), error);
      throw error;
    }
    return await postponeOrFail(kernel, { claim, task }, media, stored, error);
  }
  await write(kernel, 'references_fetched', { claim, task }, media, stored).catch(async (error: unknown) => {
    if (!isStorageLimit(error)) throw error;
    await fail(kernel, { claim, task }, stored, error.message);
  });
}

async function fetchOne(
  { files }: Pick<Kernel, 'files'>,
  turns: FetchTurns,
  { claim, task }: Fetch,
  medium: TaskMedia & { readonly url: string },
  signal: AbortSignal,
): Promise<TaskMedia & { readonly stored: StoredMedia }> {
  const endOfHost = await turns.hosts.take(hostOf(medium.url), signal);
  try {
    const end = await turns.all.take('', signal);
    const room = await files.room(files.storerOf(task, [medium]));
    try {
      if (room <= 0) throw new ReferenceFault('the file cannot be stored', { retryable: false });
      const key = taskFileKey(task.id, claim.fence, `in-${medium.field.replaceAll('_', '-')}-${medium.index}`);
      const collected = await files.references.collect(
        { url: medium.url, kind: medium.kind, maxBytes: room },
        { key, owner: task.api_key_id, patient: true, ...endUserOf(task, medium) },
        { signal },
      );
      const { contentType, bytes, width, height, durationSeconds, hasAudio } = collected;
      return { ...medium, stored: { key, contentType, bytes, width, height, durationSeconds, hasAudio } };
    } catch (error) {
      if (!(error instanceof ReferenceFault)) throw error;
      const { message, retryable } = error;
      const why =
        retryable || room > SCARCE_BYTES
          ? ''
          : `; this ${medium.isOfClient ? 'end user' : 'API key'} can store ${room} more bytes of input files`;
      throw new ReferenceFault(`${medium.field}[${medium.index}]: ${message}${why}`, { retryable, cause: error });
    } finally {
      end();
    }
  } finally {
    endOfHost();
  }
}

/** Returns the end user whose share limits the storage: orders by a client token use only the share of its end user. */
function endUserOf({ end_user: endUser }: TaskRow, { isOfClient }: TaskMedia): { readonly endUser?: string } {
  return isOfClient === true && endUser !== null ? { endUser } : {};
}

async function postponeOrFail(
  kernel: FetchKernel,
  fetch: Fetch,
  media: readonly TaskMedia[],
  stored: readonly StoredMedia[],
  fault: ReferenceFault,
): Promise<void> {
  if (fault.retryable && fetch.claim.attempts + 1 < ATTEMPTS)
    return await write(kernel, 'fetch_postponed', fetch, media, stored);
  await fail(kernel, fetch, stored, fault.message);
}

async function fail(
  kernel: Pick<Kernel, 'files' | 'orders' | 'store'>,
  { claim, task }: Fetch,
  stored: readonly StoredMedia[],
  message: string,
): Promise<void> {
  const ending = { status: 'failed', failure: { code: 'invalid_input', message } } as const;
  const settle = async (trx: Transaction) => {
    await kernel.orders.settle(trx, task, ending);
    // Last, since the settlement takes its locks before it writes.
    if (!(await endWork(trx, claim))) throw new LostClaim(task.id);
  };
  await kernel.store.write('settle_failed', settle, { together: true }).catch((error: unknown) => {
    if (!(error instanceof LostClaim)) throw error;
  });
  await kernel.files.discard(keysOf(stored), null);
}

/** Stores the fetched references, also if others are still missing. Removes the files if the claim was lost. */
async function write(
  kernel: FetchKernel,
  name: 'references_fetched' | 'fetch_postponed',
  { claim, task }: Fetch,
  media: readonly TaskMedia[],
  stored: readonly StoredMedia[],
): Promise<void> {
  const { files, work } = kernel;
  const mediaJson = JSON.stringify(media);
  const bytes = stored.reduce((sum, file) => sum + file.bytes, 0);
  const kept = await kernel.store.write(name, async (trx) => {
    // Locked before the key's slots, in the same order as when orders are placed.
    if (bytes > 0) await files.lock(trx, task.api_key_id);
    const isOurs =
      name === 'references_fetched'
        ? await admitFetched(kernel, trx, claim, task, { mediaJson, bytes })
        : await postponeFetch(kernel, trx, claim, { mediaJson, bytes, afterMs: work.pause(claim.attempts) });
    if (isOurs && bytes > 0) await files.count(trx, files.storerOf(task, media), bytes);
    if (name === 'references_fetched') trx.afterCommit(work.wakeRunner);
    return isOurs;
  });
  if (!kept) await kernel.files.discard(keysOf(stored), null);
}

function isStorageLimit(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'storage_limit_reached';
}

function keysOf(stored: readonly StoredMedia[]): string[] {
  return stored.map(({ key }) => key);
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
