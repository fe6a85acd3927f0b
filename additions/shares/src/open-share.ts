import { ServiceError } from '@darkroom-service/contract';
import { inputOf, type Kernel, prepare, type StoredOutput } from '@darkroom-service/darkroom/kernel';
import { outputsOf } from '@darkroom-service/darkroom/kernel-views';

/** The content of a share link. It names neither the tasks nor their key. */
export interface OpenedShare {
  /** The items in their order; never empty. */
  readonly items: readonly [SharedItem, ...SharedItem[]];
  /** Whether the link was made for several tasks, however many are left. */
  readonly isList: boolean;
  readonly expiresAt: number;
}

export interface SharedItem {
  /** Number of the item, from 1. An item keeps its number when others are erased. */
  readonly number: number;
  readonly type: 'image' | 'video';
  readonly output: StoredOutput;
  /** The prompt; null if the owner did not share it, or there is none. */
  readonly prompt: string | null;
}

interface SharedRow {
  readonly position: number;
  readonly is_list: number;
  readonly type: 'image' | 'video';
  readonly input_json: string;
  readonly outputs_json: string;
  readonly shows_prompt: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly key_expires_at: number | null;
}

interface Arguments {
  id: string;
  now: number;
  first: number;
  last: number;
}

/** Selects the rows of the items from one position to another. */
const selectShared = prepare<Arguments, SharedRow>('open_share', (builder, argument) =>
  builder
    .selectFrom('shares')
    .innerJoin('api_keys', 'api_keys.id', 'shares.api_key_id')
    .innerJoin('tasks', 'tasks.id', 'shares.task_id')
    .select(['position', 'is_list', 'tasks.type', 'input_json', 'outputs_json', 'shows_prompt', 'shares.expires_at'])
    .select(['revoked_at', 'api_keys.expires_at as key_expires_at'])
    .where('shares.id', '=', argument('id'))
    .where('tasks.erased_at', 'is', null)
    .where('tasks.deleted_at', 'is', null)
    .where('tasks.expires_at', '>', argument('now'))
    .where('position', '>=', argument('first'))
    .where('position', '<=', argument('last'))
    .orderBy('position'),
);

/** Returns the text that the signature of a share link signs. */
export function shareKey(shareId: string): `share:${string}` {
  return `share:${shareId}`;
}

interface Link {
  readonly shareId: string;
  readonly expires: string;
  readonly signature: string;
}
type Parts = Pick<Kernel, 'clock' | 'files' | 'store'>;
/** Position beyond the last item of any link. */
const LAST = 1_000;

/**
 * Returns the content of a signed link. The signature is checked first, so an invented address reads nothing.
 * @throws ServiceError `forbidden` (invalid signature), `outputs_expired` (expired or revoked, or its tasks or key have
 * ended)
 */
export async function openShare(kernel: Parts, link: Link): Promise<OpenedShare> {
  const rows = await readShared(kernel, link, { first: 0, last: LAST });
  const [item, ...more] = rows.flatMap(itemsOf);
  const row = rows[0];
  if (row === undefined || item === undefined) throw ended();
  return { items: [item, ...more], isList: row.is_list === 1, expiresAt: row.expires_at };
}

/**
 * Returns one item of a link by its number.
 * @throws ServiceError as `openShare`, and `not_found` if it shows no such item
 */
export async function openSharedItem(kernel: Parts, link: Link, number: number): Promise<SharedItem> {
  const [row] = await readShared(kernel, link, { first: number - 1, last: number - 1 });
  const item = row === undefined ? undefined : itemsOf(row)[0];
  if (item !== undefined) return item;
  // Distinguishes a link that has ended from one that shows other files.
  await openShare(kernel, link);
  throw new ServiceError('not_found', 'This link shows no such file. It may have been erased.', { param: 'number' });
}

async function readShared(
  { clock, files, store }: Parts,
  link: Link,
  range: Pick<Arguments, 'first' | 'last'>,
): Promise<SharedRow[]> {
  const verdict = files.signer.verify(shareKey(link.shareId), link.expires, link.signature);
  if (verdict === 'wrong')
    throw new ServiceError('forbidden', 'The signature of this link is missing or invalid. Ask for the whole link.');
  const now = clock.now();
  if (verdict === 'expired') throw ended();
  const rows = await store.read.all(selectShared, { id: link.shareId, now, ...range });
  return rows.filter((row) => row.expires_at > now && worksAt(now, row));
}

function itemsOf(row: SharedRow): SharedItem[] {
  const output = outputsOf(row)[0];
  if (output === undefined) return [];
  const { prompt } = inputOf(row);
  const isShown = row.shows_prompt === 1 && typeof prompt === 'string' && prompt !== '';
  return [{ number: row.position + 1, type: row.type, output, prompt: isShown ? prompt : null }];
}

function worksAt(now: number, key: Pick<SharedRow, 'revoked_at' | 'key_expires_at'>): boolean {
  return key.revoked_at === null && (key.key_expires_at === null || now < key.key_expires_at);
}

function ended(): ServiceError {
  return new ServiceError('outputs_expired', 'This link has expired or was revoked. Ask for a new one.');
}
