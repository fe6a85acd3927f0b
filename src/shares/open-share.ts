import { ServiceError } from '../base/errors.ts';
import { prepare } from '../database/prepared.ts';
import type { StoredOutput } from '../tasks/task.ts';
import { inputOf, outputsOf } from '../tasks/task-json.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** What a link shows. It names neither the task nor its key. */
export interface OpenedShare {
  readonly type: 'image' | 'video';
  readonly output: StoredOutput;
  /** Null if the owner did not share it, or there is none. */
  readonly prompt: string | null;
  readonly expiresAt: number;
}

interface SharedRow {
  readonly type: 'image' | 'video';
  readonly input_json: string;
  readonly outputs_json: string;
  readonly shows_prompt: number;
  readonly expires_at: number;
  readonly revoked_at: number | null;
  readonly key_expires_at: number | null;
}

const selectShared = prepare<{ id: string }, SharedRow>('open_share', (builder, argument) =>
  builder
    .selectFrom('shares')
    .innerJoin('tasks', 'tasks.id', 'shares.task_id')
    .innerJoin('api_keys', 'api_keys.id', 'shares.api_key_id')
    .select(['tasks.type', 'input_json', 'outputs_json', 'shows_prompt', 'shares.expires_at', 'revoked_at'])
    .select('api_keys.expires_at as key_expires_at')
    .where('shares.id', '=', argument('id'))
    .where('tasks.erased_at', 'is', null),
);

/**
 * Returns what a signed link shows. The signature is checked first, so an invented address reads nothing.
 * @throws ServiceError `forbidden` (invalid signature), `outputs_expired` (expired or revoked, or its task or key has
 * ended)
 */
export async function openShare(
  { database, signer, clock }: Pick<TaskServices, 'database' | 'signer' | 'clock'>,
  link: { readonly shareId: string; readonly expires: string; readonly signature: string },
): Promise<OpenedShare> {
  const verdict = signer.verifyShare(link.shareId, link.expires, link.signature);
  if (verdict === 'wrong')
    throw new ServiceError('forbidden', 'The signature of this link is missing or invalid. Ask for the whole link.');
  const now = clock.now();
  const row = verdict === 'expired' ? undefined : await database.read.first(selectShared, { id: link.shareId });
  const output = row === undefined ? undefined : outputsOf(row)[0];
  if (row === undefined || output === undefined || row.expires_at <= now || !worksAt(now, row)) throw ended();
  const { prompt } = inputOf(row);
  const isShown = row.shows_prompt === 1 && typeof prompt === 'string' && prompt !== '';
  return { type: row.type, output, prompt: isShown ? prompt : null, expiresAt: row.expires_at };
}

function worksAt(now: number, key: Pick<SharedRow, 'revoked_at' | 'key_expires_at'>): boolean {
  return key.revoked_at === null && (key.key_expires_at === null || now < key.key_expires_at);
}

function ended(): ServiceError {
  return new ServiceError('outputs_expired', 'This link has expired or was revoked. Ask for a new one.');
}
