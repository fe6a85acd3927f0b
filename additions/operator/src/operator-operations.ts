import type { Operation } from '@darkroom-service/darkroom/kernel-http';

/** The operations of operators, by method and path, without those about orders. */
export const OPERATOR_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /admin/v1/accounts': {
    roles: 'observe',
    id: 'adminListAccounts',
    summary: 'List accounts',
    description: 'With their balances and terms, in the order of their ids.',
  },
  'POST /admin/v1/accounts': {
    roles: 'manage_accounts',
    id: 'adminCreateAccount',
    summary: 'Create an account',
    description: 'A new account has no credit; credit it before live keys order.',
  },
  'GET /admin/v1/accounts/{account_id}': {
    roles: 'observe',
    id: 'adminGetAccount',
    summary: 'Get an account',
    description: 'With its balance and terms.',
    errors: ['not_found'],
  },
  'PATCH /admin/v1/accounts/{account_id}': {
    roles: 'manage_accounts',
    id: 'adminUpdateAccount',
    summary: 'Change an account',
    description: 'Changes the name, the credit limit, the prices or the hidden models. Fields left out stay.',
    errors: ['not_found'],
  },
  'POST /admin/v1/accounts/{account_id}/credit': {
    roles: 'manage_accounts',
    id: 'adminCreditAccount',
    summary: 'Credit an account',
    description:
      'A negative amount reduces the balance. To undo a credit, take it back. Send an Idempotency-Key to repeat the request safely.',
    errors: ['not_found', 'idempotency_key_reused'],
  },
  'GET /admin/v1/credits': {
    roles: 'observe',
    id: 'adminListCredits',
    summary: 'List credits',
    description: 'Of all accounts, newest first.',
  },
  'POST /admin/v1/credits/{credit_id}/take_back': {
    roles: 'manage_accounts',
    id: 'adminTakeBackCredit',
    summary: 'Take a credit back',
    description:
      "The whole amount, once. The account's ledger gets an entry of the kind `correction`, whose `corrects` names the credit. The balance may go below zero.",
    errors: ['not_found', 'not_refundable', 'idempotency_key_reused'],
  },
  'GET /admin/v1/keys': {
    roles: 'observe',
    id: 'adminListKeys',
    summary: 'List API keys',
    description: 'Without their secrets, the oldest first. Revoked keys are included.',
  },
  'GET /admin/v1/keys/usage': {
    roles: 'observe',
    id: 'adminGetKeyUsage',
    summary: 'Get the usage of API keys',
    description: 'What each key has spent this UTC month, what it holds, and when it last placed an order.',
  },
  'POST /admin/v1/keys': {
    roles: 'issue_keys',
    id: 'adminIssueKey',
    summary: 'Issue an API key',
    description: 'The secret is in this answer only.',
    errors: ['not_found'],
  },
  'GET /admin/v1/keys/{key_id}': {
    roles: 'observe',
    id: 'adminGetKey',
    summary: 'Get an API key',
    description: 'With the number of its tasks, which become unreachable when it is revoked.',
    errors: ['not_found'],
  },
  'PATCH /admin/v1/keys/{key_id}': {
    roles: 'issue_keys',
    id: 'adminUpdateKey',
    summary: 'Change an API key',
    description:
      'Changes the name, the expiry, the models, the rates or the limits. Fields and windows left out stay; null removes an expiry or a limit. Takes effect within two seconds in every process and touches no order that was placed before. A revoked key cannot be changed.',
    errors: ['not_found'],
  },
  'POST /admin/v1/keys/{key_id}/revoke': {
    roles: 'run',
    id: 'adminRevokeKey',
    summary: 'Revoke an API key',
    description: 'Takes effect within two seconds and cannot be undone.',
    errors: ['not_found'],
  },
  'POST /admin/v1/keys/{key_id}/rotate': {
    roles: 'issue_keys',
    id: 'adminRotateKey',
    summary: 'Give an API key a new secret',
    description: 'The old secret works for `grace_seconds` more. The new secret is in this answer only.',
    errors: ['not_found'],
  },
  'GET /admin/v1/engines': {
    roles: 'observe',
    id: 'adminListEngines',
    summary: 'List engines',
    description: 'With their pauses, circuit breakers, limits and queues.',
  },
  'GET /admin/v1/engines/hours': {
    roles: 'observe',
    id: 'adminListEngineHours',
    summary: 'List the last 24 hours',
    description:
      'Live orders by the hour in which they were placed and by engine, oldest first: how they have ended so far, and how long they took. Hours without an order are left out. Counted again every minute.',
  },
  'POST /admin/v1/engines/{name}/pause': {
    roles: 'run',
    id: 'adminPauseEngine',
    summary: 'Pause an engine',
    description: 'The engine gets no orders until it is resumed. Orders that it has already are finished.',
    errors: ['not_found'],
  },
  'POST /admin/v1/engines/{name}/resume': {
    roles: 'run',
    id: 'adminResumeEngine',
    summary: 'Resume an engine',
    description: 'Repeating the request is not an error.',
    errors: ['not_found'],
  },
  'POST /admin/v1/engines/{name}/circuit/close': {
    roles: 'run',
    id: 'adminCloseCircuit',
    summary: 'Close the circuit breaker of an engine',
    description: 'The upstream gets orders again at once.',
    errors: ['not_found'],
  },
  'POST /admin/v1/signing_secrets/rotate': {
    roles: 'issue_keys',
    id: 'adminRotateSigningSecrets',
    summary: 'Replace the secrets that sign addresses, share links and client tokens',
    description:
      'What was signed before works until `grace_seconds` have passed; with 0 it stops at once. No answer contains a secret.',
  },
  'POST /admin/v1/hold': {
    roles: 'run',
    id: 'adminHold',
    summary: 'Hold the service',
    description: 'Orders are accepted and wait. No order and no webhook is sent. Holding again replaces the message.',
  },
  'DELETE /admin/v1/hold': {
    roles: 'run',
    id: 'adminRelease',
    summary: 'End a hold',
    description:
      'A restored or copied installation needs `as`: a worker then puts the orders that were open at the copy into reconciliation, and the hold ends.',
  },
  'GET /admin/v1/models': {
    roles: 'observe',
    id: 'adminListModels',
    summary: 'List models and their routes',
    description: 'Says why a model is not available to live keys.',
  },
  'POST /admin/v1/models/{name}/pause': {
    roles: 'run',
    id: 'adminPauseModel',
    summary: 'Pause a model',
    description: 'Orders of the model are refused until it is resumed.',
    errors: ['not_found'],
  },
  'POST /admin/v1/models/{name}/resume': {
    roles: 'run',
    id: 'adminResumeModel',
    summary: 'Resume a model',
    description: 'Repeating the request is not an error.',
    errors: ['not_found'],
  },
  'POST /admin/v1/catalog/reload': {
    roles: 'run',
    id: 'adminReloadCatalog',
    summary: 'Reload the catalog',
    description: 'If a file has a fault, the answer lists the faults and the old catalog stays in force.',
  },
  'GET /admin/v1/audit': {
    roles: 'observe',
    id: 'adminListAudit',
    summary: 'List the audit log',
    description:
      'What keys, people and programs changed, newest first: who, from where, and the fields before and after. Entries are kept for `DARKROOM_AUDIT_DAYS`. In place of an end user it has a digest.',
  },
  'GET /admin/v1/audit/export': {
    roles: 'observe',
    id: 'adminExportAudit',
    summary: 'Export the audit log',
    description: 'All entries that match, as JSON lines, oldest first.',
  },
  'GET /admin/v1/reconciliation/causes': {
    roles: 'observe',
    id: 'adminListReconciliationCauses',
    summary: 'Group the unresolved entries by cause',
    description: 'By engine, kind and wording, the most frequent first, each with the latest entry as an example.',
  },
  'GET /admin/v1/reconciliation': {
    roles: 'observe',
    id: 'adminListReconciliation',
    summary: 'List orders to reconcile',
    description: 'Orders of unknown outcome and late results, to compare with the bills of the upstream.',
  },
  'POST /admin/v1/reconciliation/{id}/resolve': {
    roles: 'run',
    id: 'adminResolveReconciliation',
    summary: 'Resolve an order to reconcile',
    description: 'Stores what you found. Neither money nor the task changes.',
    errors: ['not_found'],
  },
  'POST /admin/v1/reconciliation/resolve': {
    roles: 'run',
    id: 'adminResolveReconciliations',
    summary: 'Resolve several orders to reconcile',
    description: 'Stores one finding for up to 100 entries, all or none. Neither money nor the tasks change.',
    errors: ['not_found'],
  },
  'GET /admin/v1/processes': {
    roles: 'observe',
    id: 'adminListProcesses',
    summary: 'List the processes of the service',
    description: 'The newest first, with those that ended without a word within a day.',
  },
  'GET /admin/v1/events': {
    roles: 'observe',
    id: 'adminFollowChanges',
    summary: 'Follow changes',
    description:
      'A stream of server-sent events. `changed`: an order, an alert, a circuit, a delivery or an act of an operator has changed. The events say no more, so read what you show again.',
  },
  'GET /admin/v1/failures': {
    roles: 'observe',
    id: 'adminListFailures',
    summary: 'List failed orders of the last day',
    description: 'Latest first, with the reason that the engine gave.',
  },
  'GET /admin/v1/failures/causes': {
    roles: 'observe',
    id: 'adminListFailureCauses',
    summary: 'Group the failed orders of the last day by cause',
    description: 'By engine, code and wording, the most frequent first, each with the latest order as an example.',
  },
  'GET /admin/v1/costs': {
    roles: 'observe',
    id: 'adminReportCosts',
    summary: 'Report what live orders earned and cost',
    description:
      'By model, account and engine, over a period of at most 366 days. Orders without a known cost are left out.',
  },
  'GET /admin/v1/costs/orders': {
    roles: 'observe',
    id: 'adminListCostOrders',
    summary: 'List the orders behind the costs',
    description:
      'Live orders that the cost report counts, latest first, as long as their rows are kept. Page with `next_after`: a page may have no order that matches.',
  },
};
