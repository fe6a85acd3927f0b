import { useMay } from '../../api/may.ts';
import type { Operation } from '../../api/operations.ts';
import { isPersonKey, useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';

/** Returns the live key for settings of the whole account, whichever mode is in use; null without the permission. */
export function useLiveKey(operation: Operation): string | null {
  const may = useMay()(operation);
  const { keys, mode } = useSession();
  const account = useApi('GET /v1/account', {});
  const { live } = keys;
  if (!may || live === undefined) return null;
  // An API key of the account knows only its own permissions.
  const isKnown = isPersonKey(live) || mode === 'live';
  return isKnown && account.data?.key.account_view === true ? live : null;
}
