import type { Operation } from '../../kernel-http.ts';

/** The texts of the operations for rules about data. */
export const DATA_RULE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/models/{model_id}/data': {
    roles: 'see_account',
    id: 'listDataReceivers',
    summary: 'List who may get the orders of a model',
    description:
      'The upstreams that this service may send live orders of the model to, what is known of their treatment of data, and which of them the rules of the key and its account exclude.',
    errors: ['model_not_found', 'model_not_allowed', 'model_retired'],
  },
  'GET /v1/account/data_rules': {
    roles: 'set_up',
    id: 'listDataRules',
    summary: 'List the rules about data',
    description: 'The rules of the account and of its keys. An order must fit all that apply to its key.',
  },
  'PUT /v1/account/data_rules/{subject}': {
    roles: 'set_up',
    id: 'setDataRule',
    summary: 'Set the rule of the account or of a key',
    description:
      'Live orders that are placed a second later go only to upstreams that fit it; orders before keep theirs. Replaces the rule before. The subject is `account` or the id of a key. Needs a live key with access to the whole account.',
    errors: ['not_found'],
  },
  'GET /admin/v1/accounts/{account_id}/data_rules': {
    roles: 'observe',
    id: 'listAccountDataRules',
    summary: 'List the rules of an account about data',
    description: 'The rules of the account and of its keys. An order must fit all that apply to its key.',
    errors: ['not_found'],
  },
  'PUT /admin/v1/accounts/{account_id}/data_rules': {
    roles: 'manage_accounts',
    id: 'setAccountDataRule',
    summary: 'Set the rule of an account about data',
    description:
      'Live orders of all its keys that are placed a second later go only to upstreams that fit it; orders before keep theirs. Replaces the rule of the account; an empty one removes it. Rules of keys stay.',
    errors: ['not_found'],
  },
  'DELETE /v1/account/data_rules/{subject}': {
    roles: 'set_up',
    id: 'removeDataRule',
    summary: 'Remove the rule of the account or of a key',
    description: 'Orders that were placed with it keep it. Needs a live key with access to the whole account.',
    errors: ['not_found'],
  },
};
