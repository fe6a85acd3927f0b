import { judgeHeaders, NO_VAULT } from '@darkroom-service/addition-common/sending/receiver-headers';
import type { Addition, Session, Vault } from '@darkroom-service/darkroom/kernel';
import { judgeUrl } from '@darkroom-service/media';
import { loadPart } from '@darkroom-service/media/process';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import { findDestination } from './destinations.ts';
import { storedFor } from './stored-delivery.ts';

/** Returns the subject for which presigned URLs are sealed: they open for no other account. */
export function subjectOfUrls(accountId: string): string {
  return JSON.stringify(['deliver_to', accountId]);
}

const SHAPE =
  'expected {"url": "https://…"} or {"urls": ["https://…"]}, both with at most 16 "headers", or {"destination": "name"}';

/** Presigned URLs with their queries, and the headers that go with each of them. */
export interface SealedTarget {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads a sealed target. Versions before the headers wrote the URLs only. */
export function parseSealedTarget(text: string): SealedTarget {
  const parsed = JSON.parse(text) as SealedTarget | string[];
  return Array.isArray(parsed) ? { urls: parsed, headers: {} } : parsed;
}

/** Creates the reader of orders' `deliver_to`. @param vault null = the operator has set no key */
export function createTargetReader(
  read: Session,
  vault: Vault | null,
  allowedAddresses: readonly string[],
): ReturnType<NonNullable<Addition['deliverTo']>> {
  return async (value, { accountId, isBatch }) => {
    // Every command loads this file, so the schemas must not be loaded with it.
    const { DeliverTo } = await loadPart(() => import('@darkroom-service/contract/schemas'));
    if (!Check(DeliverTo, value)) return { fault: SHAPE };
    const { headers: sent, ...where } = value as Static<typeof DeliverTo>;
    if (Object.keys(where).length !== 1 || (sent !== undefined && where.destination !== undefined))
      return { fault: SHAPE };
    const judged = judgeHeaders(sent ?? {});
    if ('fault' in judged) return judged;
    if (vault === null) return { fault: NO_VAULT };
    const { url, urls = url === undefined ? [] : [url], destination } = where;
    if (destination !== undefined) {
      const found = await findDestination(read, { account_id: accountId, name: destination });
      if (found === null) return { fault: `the account has no destination '${destination}'` };
      return { stored: storedFor({ destination, path: found.path }) };
    }
    if (isBatch) return { fault: 'a batch takes only a destination; send presigned URLs with its orders' };
    const shown: string[] = [];
    const targets: string[] = [];
    for (const text of urls) {
      const verdict = judgeUrl(text, allowedAddresses);
      if (!verdict.ok) return { fault: verdict.message };
      shown.push(verdict.url.origin + verdict.url.pathname);
      targets.push(verdict.text);
    }
    const { headers } = judged;
    // A process of a version before the headers reads the URLs only.
    const sealed = JSON.stringify(sent === undefined ? targets : ({ urls: targets, headers } satisfies SealedTarget));
    return { stored: storedFor({ urls: shown, sealed: vault.seal(sealed, subjectOfUrls(accountId)) }) };
  };
}
