import { useMay } from '../../api/may.ts';

/** All keys of the service, for its operators. */
export const OF_SERVICE = {
  list: 'GET /admin/v1/keys',
  issue: 'POST /admin/v1/keys',
  change: 'PATCH /admin/v1/keys/{key_id}',
  rotate: 'POST /admin/v1/keys/{key_id}/rotate',
  revoke: 'POST /admin/v1/keys/{key_id}/revoke',
} as const;

/** The live and test keys of the account, for its managers. */
export const OF_ACCOUNT = {
  list: 'GET /v1/account/keys',
  issue: 'POST /v1/account/keys',
  change: 'PATCH /v1/account/keys/{key_id}',
  rotate: 'POST /v1/account/keys/{key_id}/rotate',
  revoke: 'POST /v1/account/keys/{key_id}/revoke',
} as const;

/** The operations by which keys are listed and changed. */
export type KeySource = typeof OF_SERVICE | typeof OF_ACCOUNT;

/** Returns the source that the session may use. Operators see the keys of every account. */
export function useKeySource(): KeySource {
  return useMay()(OF_SERVICE.list) ? OF_SERVICE : OF_ACCOUNT;
}

export function isOfService(source: KeySource): source is typeof OF_SERVICE {
  return source.list === OF_SERVICE.list;
}
