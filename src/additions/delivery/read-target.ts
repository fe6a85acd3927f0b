import { judgeUrl } from '@darkroom-service/media';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import type { ReadDeliverTo, Session, Vault } from '../../kernel.ts';
import { findDestination } from './destinations.ts';
import { storedFor } from './stored-delivery.ts';

/** Returns the subject that presigned URLs are sealed for: they open for no other account. */
export function subjectOfUrls(accountId: string): string {
  return JSON.stringify(['deliver_to', accountId]);
}

/** Message for an order with `deliver_to` where the operator has set no key, so that nothing can be sealed. */
export const NO_VAULT = 'this service stores no credentials of customers; its operator can set DARKROOM_SECRETS_KEY';
const SHAPE = 'expected {"url": "https://…"}, {"urls": ["https://…"]} or {"destination": "name"}';

/** Creates what reads `deliver_to` of orders. @param vault null = the operator has set no key */
export function createTargetReader(
  read: Session,
  vault: Vault | null,
  allowedAddresses: readonly string[],
): ReadDeliverTo {
  return async (value, { accountId, isBatch }) => {
    // Every command loads this file, so the schemas must not come with it.
    const { DeliverTo } = await import('@darkroom-service/contract/schemas');
    if (!Check(DeliverTo, value) || Object.keys(value).length !== 1) return { fault: SHAPE };
    if (vault === null) return { fault: NO_VAULT };
    const { url, urls = url === undefined ? [] : [url], destination } = value as Static<typeof DeliverTo>;
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
    return {
      stored: storedFor({ urls: shown, sealed: vault.seal(JSON.stringify(targets), subjectOfUrls(accountId)) }),
    };
  };
}
