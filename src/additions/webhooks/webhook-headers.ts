import { sealAgain } from '@darkroom-service/addition-common/seal-again';
import {
  type Act,
  type Kernel,
  SealFault,
  type Session,
  type Store,
  type Transaction,
  type Vault,
} from '../../kernel.ts';
import type { SecretOwner } from './webhook-secrets.ts';

export type Headers = Readonly<Record<string, string>>;

/** Reason why headers cannot be opened; shown to the customer. */
export const UNREADABLE =
  "The service cannot open the headers of the receiver: the operator's key has changed. Set them again.";

/** Returns the names of the headers that go with a default URL, in alphabetical order. */
export async function headerNames(session: Session, owner: SecretOwner, url: string | null): Promise<string[]> {
  const row = await rowOf(session, owner, url);
  return row === undefined ? [] : (JSON.parse(row.names_json) as string[]);
}

/** Reads the headers for a URL, sealed: those of the account's default URL. Null = it has none. */
export async function sealedHeaders(session: Session, owner: SecretOwner, url: string): Promise<string | null> {
  return (await rowOf(session, owner, url))?.sealed ?? null;
}

/**
 * Opens headers.
 * @param sealed null = there are none
 * @returns null if the operator's key is not the one that sealed them
 */
export function openHeaders(vault: Vault | null, owner: SecretOwner, sealed: string | null): Headers | null {
  if (sealed === null) return {};
  try {
    return vault === null ? null : (JSON.parse(vault.open(sealed, subjectOf(owner))) as Headers);
  } catch (error) {
    if (error instanceof SealFault) return null;
    throw error;
  }
}

/**
 * Replaces the headers of a default URL; an empty set removes them.
 * @param to.vault seals them; null = there are none, since the operator has set no key
 */
export async function setHeaders(
  { accounts }: Pick<Kernel, 'accounts'>,
  trx: Transaction,
  by: Act,
  owner: SecretOwner,
  { url, headers, vault }: { readonly url: string; readonly headers: Headers; readonly vault: Vault | null },
): Promise<void> {
  const { accountId, mode } = owner;
  const names = Object.keys(headers).sort();
  const sealed = names.length === 0 ? undefined : vault?.seal(JSON.stringify(headers), subjectOf(owner));
  await removeHeaders(trx, owner);
  const row = { account_id: accountId, mode, url, names_json: JSON.stringify(names) };
  if (sealed !== undefined) await trx.run(trx.builder.insertInto('webhook_headers').values({ ...row, sealed }));
  await accounts.record(trx, by, { act: 'webhook_headers.set', target: accountId, detail: { mode, url, names } });
}

/** Removes headers that go with another URL than this one. @param url null = any */
export async function dropOtherHeaders(
  trx: Transaction,
  { accountId, mode }: SecretOwner,
  url: string | null,
): Promise<void> {
  await trx.run(
    trx.builder
      .deleteFrom('webhook_headers')
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .where('url', '<>', url ?? ''),
  );
}

/** Removes headers of an account. @param owner.mode undefined = both */
export async function removeHeaders(
  trx: Transaction,
  { accountId, mode }: { readonly accountId: string; readonly mode?: 'live' | 'test' },
): Promise<void> {
  const ofAccount = trx.builder.deleteFrom('webhook_headers').where('account_id', '=', accountId);
  await trx.run(mode === undefined ? ofAccount : ofAccount.where('mode', '=', mode));
}

async function rowOf(session: Session, { accountId, mode }: SecretOwner, url: string | null) {
  const row = await session.first(
    session.builder
      .selectFrom('webhook_headers')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('mode', '=', mode),
  );
  return row?.url === url ? row : undefined;
}

/** Seals headers again that an earlier key of the operator has sealed. */
export async function sealHeadersAgain(store: Store, vault: Vault): Promise<void> {
  await sealAgain(store, vault, 'webhook_headers', ({ account_id: accountId, mode }) => subjectOf({ accountId, mode }));
}

/** Returns the subject for which headers are sealed: they open for no other account or mode. */
function subjectOf({ accountId, mode }: SecretOwner): string {
  return JSON.stringify(['webhook_headers', accountId, mode]);
}
