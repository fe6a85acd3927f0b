import type { Operation } from '../../kernel-http.ts';

/** The texts of the operations for customers' own upstream keys. */
export const UPSTREAM_KEY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/account/upstream_keys': {
    roles: 'set_up',
    id: 'listUpstreamKeys',
    summary: "List the account's own upstream keys",
    description: 'Also lists the engines that accept one, and the fee of orders with one. Secrets are never answered.',
  },
  'PUT /v1/account/upstream_keys/{engine}': {
    roles: 'set_up',
    id: 'setUpstreamKey',
    summary: "Set the account's own key at an upstream",
    description:
      'Live orders of models that this upstream makes go there with this key, and cost the fee. Replaces the key before; orders that were submitted with that one keep it until they end. Needs a live key with access to the whole account.',
    errors: ['not_found'],
  },
  'DELETE /v1/account/upstream_keys/{engine}': {
    roles: 'set_up',
    id: 'removeUpstreamKey',
    summary: "Remove the account's own key at an upstream",
    description:
      'Orders that were not submitted yet fail and are released. Orders that were submitted keep the key until they end. Needs a live key with access to the whole account.',
    errors: ['not_found'],
  },
};
