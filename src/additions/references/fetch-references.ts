import { ServiceError } from '@darkroom-service/contract';
import { ReferenceFault } from '@darkroom-service/media';
import {
  backOff,
  type Claim,
  endWork,
  type StoredMedia,
  type TaskMedia,
  type TaskRow,
  type TaskServices,
  type Transaction,
  type Turns,
} from '../../kernel.ts';
import { countStored, lockStored, roomToStore } from '../../kernel-accounts.ts';
import { discardFiles, LostClaim, type SettleServices, settleTask } from '../../kernel-orders.ts';
import { isUnfetched, mediaOf, storerOfMedia, taskFileKey } from '../../kernel-views.ts';
import { admitFetched, postponeFetch } from './store-fetched.ts';

/** Number of attempts for a reference with a temporary error, such as a busy host. */
const ATTEMPTS = 4;
/** Free space of a key below which an error states it, because it may be the reason. */
const SCARCE_BYTES = 500_000_000;

export type FetchServices = SettleServices &
  Pick<TaskServices, 'database' | 'references' | 'settings' | 'storage' | 'wakeRunner'>;

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
  services: FetchServices,
  turns: FetchTurns,
  { claim, task }: Fetch,
  signal: AbortSignal,
): Promise<void> {
  const media = mediaOf(task);
  const stored: StoredMedia[] = [];
  try {
    for (const [at, medium] of media.entries()) {
      if (!isUnfetched(medium)) continue;
      const fetched = await fetchOne(services, turns, { claim, task }, medium, signal);
      media[at] = fetched;
      stored.push(fetched.stored);
    }
  } catch (error) {
    if (!(error instanceof ReferenceFault)) {
      await discardFiles(services, keysOf(stored), error);
      throw error;
    }
    return await postponeOrFail(services, { claim, task }, media, stored, error);
  }
  await write(services, 'references_fetched', { claim, task }, media, stored).catch(async (error: unknown) => {
    if (!isStorageLimit(error)) throw error;
    await fail(services, { claim, task }, stored, error.message);
  });
}

async function fetchOne(
  services: Pick<TaskServices, 'database' | 'references' | 'settings'>,
  turns: FetchTurns,
  { claim, task }: Fetch,
  medium: TaskMedia & { readonly url: string },
  signal: AbortSignal,
): Promise<TaskMedia & { readonly stored: StoredMedia }> {
  const endOfHost = await turns.hosts.take(hostOf(medium.url), signal);
  try {
    const end = await turns.all.take('', signal);
    const room = await roomToStore(
      services.database.read,
      storerOfMedia(task, [medium]),
      services.settings.storageLimits,
    );
    try {
      if (room <= 0) throw new ReferenceFault('the file cannot be stored', { retryable: false });
      const key = taskFileKey(task.id, claim.fence, `in-${medium.field.replaceAll('_', '-')}-${medium.index}`);
      const collected = await services.references.collect(
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
  services: FetchServices,
  fetch: Fetch,
  media: readonly TaskMedia[],
  stored: readonly StoredMedia[],
  fault: ReferenceFault,
): Promise<void> {
  if (fault.retryable && fetch.claim.attempts + 1 < ATTEMPTS)
    return await write(services, 'fetch_postponed', fetch, media, stored);
  await fail(services, fetch, stored, fault.message);
}

async function fail(
  services: SettleServices & Pick<TaskServices, 'database' | 'storage'>,
  { claim, task }: Fetch,
  stored: readonly StoredMedia[],
  message: string,
): Promise<void> {
  const ending = { status: 'failed', failure: { code: 'invalid_input', message } } as const;
  const settle = async (trx: Transaction) => {
    await settleTask(services, trx, task, ending);
    // Last, since the settlement takes its locks before it writes.
    if (!(await endWork(trx, claim))) throw new LostClaim(task.id);
  };
  await services.database.write('settle_failed', settle, { together: true }).catch((error: unknown) => {
    if (!(error instanceof LostClaim)) throw error;
  });
  await discardFiles(services, keysOf(stored), null);
}

/** Stores the fetched references, also if others are still missing. Removes the files if the claim was lost. */
async function write(
  services: Pick<TaskServices, 'database' | 'log' | 'settings' | 'storage' | 'wakeRunner'>,
  name: 'references_fetched' | 'fetch_postponed',
  { claim, task }: Fetch,
  media: readonly TaskMedia[],
  stored: readonly StoredMedia[],
): Promise<void> {
  const mediaJson = JSON.stringify(media);
  const bytes = stored.reduce((sum, file) => sum + file.bytes, 0);
  const kept = await services.database.write(name, async (trx) => {
    // Locked before the key's slots, in the same order as when orders are placed.
    if (bytes > 0) await lockStored(trx, task.api_key_id);
    const isOurs =
      name === 'references_fetched'
        ? await admitFetched(trx, claim, task, { mediaJson, bytes })
        : await postponeFetch(trx, claim, { mediaJson, bytes, afterMs: backOff(claim.attempts) });
    if (isOurs && bytes > 0) await countStored(trx, storerOfMedia(task, media), bytes, services.settings.storageLimits);
    if (name === 'references_fetched') trx.afterCommit(services.wakeRunner);
    return isOurs;
  });
  if (!kept) await discardFiles(services, keysOf(stored), null);
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
