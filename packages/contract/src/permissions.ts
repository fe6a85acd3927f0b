import type { AnyRole } from './roles.ts';

/** An action: its description, the roles that may do it, and the operations that are part of it. */
interface Permission {
  readonly action: string;
  readonly roles: readonly AnyRole[];
  readonly operations: readonly string[];
}

const SEEING = ['viewer', 'creator', 'manager'] as const;
const ORDERING = ['creator', 'manager'] as const;
const SPENDING = ['finance', 'creator', 'manager'] as const;
const MEMBERS = ['viewer', 'finance', 'creator', 'manager'] as const;
const OPERATING = ['operator', 'owner'] as const;

const ofTasks = (...ends: readonly string[]) =>
  ['images', 'videos'].flatMap((type) => ends.map((end) => end.replace(' ', ` /v1/${type}`)));

/** The permissions of people; each operation occurs once, and others are refused. API keys have rules of their own. */
export const PERMISSIONS: readonly Permission[] = [
  {
    action: 'read what is public',
    roles: [...MEMBERS, ...OPERATING],
    operations: [
      'GET /v1/catalog',
      'GET /files/{file}',
      'GET /examples/{example_id}',
      'GET /shares/{share_id}/file',
      'GET /shares/{share_id}/files/{number}',
      'GET /healthz',
      'GET /.well-known/jwks.json',
    ],
  },
  {
    action: 'see the account and its models',
    roles: MEMBERS,
    operations: [
      'GET /v1/account',
      'GET /v1/models',
      'GET /v1/models/{model_id}',
      'GET /v1/examples',
      'GET /v1/models/{model_id}/data',
      'GET /v1/models/{model_id}/examples',
    ],
  },
  {
    action: 'see the orders of everybody in the account',
    roles: SEEING,
    operations: [
      'GET /v1/account/tasks',
      'GET /v1/account/tasks/{task_id}',
      'GET /v1/account/tasks/{task_id}/content',
      'GET /v1/provenance',
      'POST /v1/provenance',
    ],
  },
  {
    action: 'see your own orders, files and share links',
    roles: SEEING,
    operations: [
      ...ofTasks('GET ', 'GET /{task_id}', 'GET /{task_id}/events', 'GET /{task_id}/content', 'GET /{task_id}/tags'),
      'GET /v1/events',
      'GET /v1/tags',
      'GET /v1/files/{file_id}',
      'GET /v1/shares',
      'GET /v1/shares/{share_id}',
      'GET /v1/batches',
      'GET /v1/batches/{batch_id}',
      'GET /v1/batches/{batch_id}/tasks',
      'GET /v1/batches/{batch_id}/results',
      'GET /v1/batches/{batch_id}/events',
      'GET /v1/requests',
    ],
  },
  {
    action: 'order, cancel, delete, tag and share',
    roles: ORDERING,
    operations: [
      ...ofTasks('POST ', 'POST /{task_id}/cancel', 'DELETE /{task_id}', 'PUT /{task_id}/tags'),
      ...ofTasks('POST /{task_id}/deliveries', 'POST /{task_id}/restore'),
      'POST /v1/images/actions',
      'POST /v1/prices',
      'POST /v1/prices/compare',
      'POST /v1/files',
      'DELETE /v1/files/{file_id}',
      'POST /v1/shares',
      'DELETE /v1/shares/{share_id}',
      'POST /v1/batches',
      'POST /v1/batches/prices',
      'POST /v1/batches/{batch_id}/cancel',
      'GET /v1/destinations',
      'GET /v1/destinations/{name}',
      'GET /v1/account/webhooks/deliveries',
    ],
  },
  {
    action: 'see usage, ledger and receipts',
    roles: SPENDING,
    operations: [
      'GET /v1/account/usage',
      'GET /v1/account/ledger',
      ...ofTasks('GET /{task_id}/receipt'),
      'GET /v1/batches/{batch_id}/receipt',
    ],
  },
  {
    action: 'set up webhooks, destinations and upstream keys',
    roles: ['manager'],
    operations: [
      'GET /v1/account/webhooks',
      'PUT /v1/account/webhooks',
      'POST /v1/account/webhooks/test',
      'GET /v1/account/webhooks/secret',
      'POST /v1/account/webhooks/secret/rotate',
      'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver',
      'GET /v1/account/upstream_keys',
      'PUT /v1/account/upstream_keys/{engine}',
      'DELETE /v1/account/upstream_keys/{engine}',
      'GET /v1/account/data_rules',
      'PUT /v1/account/data_rules/{subject}',
      'DELETE /v1/account/data_rules/{subject}',
      'PUT /v1/destinations/{name}',
      'DELETE /v1/destinations/{name}',
    ],
  },
  {
    action: 'manage the keys of the account',
    roles: ['manager'],
    operations: [
      'GET /v1/account/keys',
      'POST /v1/account/keys',
      'PATCH /v1/account/keys/{key_id}',
      'POST /v1/account/keys/{key_id}/rotate',
      'POST /v1/account/keys/{key_id}/revoke',
    ],
  },
  {
    action: 'manage the members of the account and their limits',
    roles: ['manager'],
    operations: [
      'GET /v1/account/members',
      'PATCH /v1/account/members/{person_id}',
      'DELETE /v1/account/members/{person_id}',
      'GET /v1/account/invitations',
      'POST /v1/account/invitations',
      'DELETE /v1/account/invitations/{invitation_id}',
    ],
  },
  {
    action: 'act for end users (only API keys)',
    roles: [],
    operations: [
      'GET /v1/end_users',
      'GET /v1/end_users/{end_user}',
      'PUT /v1/end_users/{end_user}',
      'DELETE /v1/end_users/{end_user}',
      'POST /v1/client_tokens',
    ],
  },
  {
    action: 'observe the service',
    roles: OPERATING,
    operations: [
      'GET /readyz',
      'GET /metrics',
      'GET /admin/v1/health',
      'GET /admin/v1/accounts',
      'GET /admin/v1/accounts/{account_id}',
      'GET /admin/v1/accounts/{account_id}/provenance',
      'GET /admin/v1/accounts/{account_id}/data_rules',
      'GET /admin/v1/keys',
      'GET /admin/v1/keys/usage',
      'GET /admin/v1/keys/{key_id}',
      'GET /admin/v1/engines',
      'GET /admin/v1/engines/hours',
      'GET /admin/v1/models',
      'GET /admin/v1/local/models',
      'GET /admin/v1/tasks',
      'GET /admin/v1/tasks/deeds',
      'GET /admin/v1/tasks/{task_id}',
      'GET /admin/v1/examples',
      'GET /admin/v1/provenance',
      'GET /admin/v1/audit',
      'GET /admin/v1/audit/export',
      'GET /admin/v1/reconciliation',
      'GET /admin/v1/reconciliation/causes',
      'GET /admin/v1/alerts',
      'GET /admin/v1/processes',
      'GET /admin/v1/requests',
      'GET /admin/v1/events',
      'GET /admin/v1/failures',
      'GET /admin/v1/failures/causes',
      'GET /admin/v1/credits',
      'GET /admin/v1/costs',
      'GET /admin/v1/costs/orders',
      'GET /admin/v1/webhooks/deliveries',
      'GET /admin/v1/people',
      'GET /admin/v1/invitations',
      'GET /admin/v1/erasures',
      'GET /admin/v1/erasures/{erasure_id}',
    ],
  },
  {
    action: 'run the service: pause, resume, resolve, refund, show examples, revoke a key, end sessions',
    roles: OPERATING,
    operations: [
      'POST /admin/v1/hold',
      'DELETE /admin/v1/hold',
      'POST /admin/v1/engines/{name}/circuit/close',
      'POST /admin/v1/engines/{name}/pause',
      'POST /admin/v1/engines/{name}/resume',
      'POST /admin/v1/models/{name}/pause',
      'POST /admin/v1/models/{name}/resume',
      'POST /admin/v1/tasks/ask',
      'POST /admin/v1/tasks/cancel',
      'POST /admin/v1/tasks/give_up',
      'POST /admin/v1/tasks/{task_id}/refund',
      'POST /admin/v1/tasks/{task_id}/ask',
      'POST /admin/v1/tasks/{task_id}/cancel',
      'POST /admin/v1/tasks/{task_id}/give_up',
      'PUT /admin/v1/tasks/{task_id}/example',
      'DELETE /admin/v1/tasks/{task_id}/example',
      'POST /admin/v1/alerts/{alert_id}/acknowledge',
      'POST /admin/v1/alerts/{alert_id}/silence',
      'POST /admin/v1/local/models/{name}/pull',
      'POST /admin/v1/local/models/{name}/cancel',
      'DELETE /admin/v1/local/models/{name}',
      'POST /admin/v1/catalog/reload',
      'POST /admin/v1/reconciliation/{id}/resolve',
      'POST /admin/v1/reconciliation/resolve',
      'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver',
      'POST /admin/v1/keys/{key_id}/revoke',
      'POST /admin/v1/people/{person_id}/sign_out',
    ],
  },
  {
    action: 'create accounts and change their terms and credit',
    roles: ['owner'],
    operations: [
      'POST /admin/v1/accounts',
      'PATCH /admin/v1/accounts/{account_id}',
      'PUT /admin/v1/accounts/{account_id}/provenance',
      'PUT /admin/v1/accounts/{account_id}/data_rules',
      'POST /admin/v1/accounts/{account_id}/credit',
      'POST /admin/v1/credits/{credit_id}/take_back',
    ],
  },
  {
    // An admin key has every right, so anyone who issues keys has every right too.
    action: 'issue, change and rotate any key, and rotate signing secrets',
    roles: ['owner'],
    operations: [
      'POST /admin/v1/keys',
      'PATCH /admin/v1/keys/{key_id}',
      'POST /admin/v1/keys/{key_id}/rotate',
      'POST /admin/v1/signing_secrets/rotate',
    ],
  },
  {
    action: 'export and erase what is stored of an account or an end user',
    roles: ['owner'],
    operations: [
      'POST /admin/v1/exports',
      'GET /admin/v1/exports/{export_id}/archive',
      'POST /admin/v1/erasures',
      'POST /admin/v1/erasures/repeat',
    ],
  },
  {
    action: 'invite, change and remove people and operators',
    roles: ['owner'],
    operations: [
      'PUT /admin/v1/people/{person_id}/role',
      'DELETE /admin/v1/people/{person_id}',
      'POST /admin/v1/invitations',
      'DELETE /admin/v1/invitations/{invitation_id}',
    ],
  },
];

const ROLES_BY_OPERATION = new Map(
  PERMISSIONS.flatMap(({ roles, operations }) => operations.map((operation) => [operation, roles] as const)),
);

/**
 * Tells whether a role may call an operation.
 * @param operation as the OpenAPI document names it, such as `GET /v1/images/{task_id}`, or with `:task_id`
 */
export function mayCall(role: string, operation: string): boolean {
  const named = operation.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{file}');
  const roles: readonly string[] = ROLES_BY_OPERATION.get(named) ?? [];
  return roles.includes(role);
}

/** Tells whether a role gets answers to `scope=account`: the spending of the whole account, and its set-up. */
export function seesWholeAccount(role: AnyRole): boolean {
  return role === 'manager' || role === 'finance' || role === 'owner' || role === 'operator';
}
