import { text } from 'node:stream/consumers';
import { earlierDigests } from '@darkroom-service/addition-common/limits/earlier-digests';
import { selectUnplacedParts } from '@darkroom-service/addition-common/limits/unplaced-parts';
import { isId } from '@darkroom-service/contract';
import { type Act, type Kernel, sql } from '@darkroom-service/darkroom/kernel';
import {
  type DataRequest,
  digestOf,
  enterKnownErasure,
  findRequest,
  recordEmptyErasure,
  type Subject,
} from './data-requests.ts';
import { keysOf } from './subject-tasks.ts';

/** An erasure without the name of the end user, as lists outside of the database have it. */
export interface KnownErasure {
  readonly erasure_id: string;
  readonly account_id: string;
  readonly end_user_digest: string | null;
  /** Time of the request, in milliseconds since 1970 UTC. */
  readonly requested_at: number;
  /** Whether uploads that name no end user are erased; absent, they are not. */
  readonly uploads?: true;
}

type Files = Pick<Kernel['files']['storage'], 'list' | 'open' | 'put' | 'stat'>;
type Services = Pick<Kernel, 'accounts' | 'hooks' | 'store'>;

/** Folder of the storage with one small file for each erasure. */
const FOLDER = 'erasures/';
const MOST_BYTES = 4_096;

export function knownErasure(row: DataRequest): KnownErasure {
  const { id: erasure_id, account_id, end_user_digest, requested_at } = row;
  const uploads = row.uploads === 1 ? { uploads: true as const } : {};
  return { erasure_id, account_id, end_user_digest, requested_at, ...uploads };
}

/** Reads a line of a list. @returns null if it is not an erasure */
export function parseKnownErasure(line: string): KnownErasure | null {
  try {
    const { erasure_id, account_id, end_user_digest, requested_at, uploads } = JSON.parse(
      line,
    ) as Partial<KnownErasure>;
    const isWhole =
      typeof erasure_id === 'string' &&
      isId(erasure_id, 'era') &&
      typeof account_id === 'string' &&
      (end_user_digest === null || typeof end_user_digest === 'string') &&
      Number.isSafeInteger(requested_at);
    if (!isWhole) return null;
    const known = { erasure_id, account_id, end_user_digest, requested_at: requested_at as number };
    return uploads === true ? { ...known, uploads } : known;
  } catch {
    return null;
  }
}

/** Records an erasure in the storage, from which it is repeated when an older database is restored. */
export async function recordErasure(storage: Files, known: KnownErasure): Promise<void> {
  const key = `${FOLDER}${known.erasure_id}.json`;
  if ((await storage.stat(key)) !== null) return;
  await storage.put(key, Buffer.from(JSON.stringify(known)), {
    contentType: 'application/json',
    maxBytes: MOST_BYTES,
  });
}

/** Inserts the erasures of the storage that the database does not know: it is older than they are. */
export async function repeatRecordedErasures(
  kernel: Services & { readonly files: { readonly storage: Files } },
  by: () => Act,
): Promise<number> {
  const { store } = kernel;
  const { storage } = kernel.files;
  let entered = 0;
  for await (const { key } of storage.list(FOLDER)) {
    const id = key.slice(FOLDER.length, -'.json'.length);
    const known = await store.read.first(
      store.read.builder.selectFrom('data_requests').select('id').where('id', '=', id),
    );
    if (known !== undefined) continue;
    const noted = parseKnownErasure(await text(await storage.open(key)));
    if (noted !== null && (await repeatErasure(kernel, by(), noted))) entered++;
  }
  return entered;
}

/**
 * Inserts an erasure again. An end user is found by the digest among the names that the database has.
 * @returns whether there is anything to erase
 */
export async function repeatErasure(kernel: Services, by: Act, known: KnownErasure): Promise<boolean> {
  const { store } = kernel;
  const { account_id: accountId, erasure_id: id, requested_at: requestedAt } = known;
  if ((await findRequest(store.read, id)) !== null) return false;
  const subject = await findSubject(kernel, accountId, known.end_user_digest);
  if (subject !== null)
    return await enterKnownErasure(kernel, by, {
      id,
      requestedAt,
      subject: { ...subject, uploads: known.uploads === true },
    });
  await recordEmptyErasure(store, { id, accountId, digest: known.end_user_digest, requestedAt }, by.now);
  return false;
}

async function findSubject(kernel: Services, accountId: string, digest: string | null): Promise<Subject | null> {
  const session = kernel.store.read;
  if (digest === null) {
    const account = await session.first(
      session.builder.selectFrom('accounts').select('id').where('id', '=', accountId),
    );
    return account === undefined ? null : { accountId, endUser: null };
  }
  for (const keyId of await keysOf(session, accountId)) {
    for await (const name of namesOf(kernel, keyId))
      if (digest === digestOf(accountId, name) || earlierDigests(accountId, name).includes(digest))
        return { accountId, endUser: name };
  }
  return null;
}

/**
 * Yields the names of a key's end users, from the index: one read per name. Names of orders that are no tasks yet come
 * last.
 */
async function* namesOf({ store: { read }, hooks }: Services, keyId: string): AsyncGenerator<string> {
  const ofType = (type: 'image' | 'video') => ['tasks', sql<boolean>`type = ${type}`] as const;
  for (const [table, which] of [ofType('image'), ofType('video'), ['end_users'], ['files']] as const)
    for (let after = ''; ; ) {
      const row = await read.first(
        read.builder
          .selectFrom(table)
          .select('end_user')
          .where('api_key_id', '=', keyId)
          .where(which ?? sql<boolean>`1 = 1`)
          .where('end_user', '>', after)
          .orderBy('end_user')
          .limit(1),
      );
      if (row === undefined || row.end_user === null) break;
      yield row.end_user;
      after = row.end_user;
    }
  const parts = await read.all(
    selectUnplacedParts(read, hooks).select('end_users_json').where('api_key_id', '=', keyId),
  );
  for (const { end_users_json: names } of parts) yield* Object.keys(JSON.parse(names) as object);
}
