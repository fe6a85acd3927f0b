import {
  adminOnly,
  anyClient,
  anyKey,
  everyone,
  type Owned,
  ownerOnly,
  ownerOrClient,
  type Row,
} from './access-callers.ts';
import { PEOPLE_ROWS } from './access-rows-people.ts';

const order = () => ({ model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });
const nothing = () => ({});
const batch = () => ({ orders: [{ operation: 'images', body: order() }] });

const ofAccount = (what: string): Row => ({
  path: ({ accountId }) => `/admin/v1/accounts/${accountId}${what}`,
  expected: adminOnly(200),
});

const ofBatch = (what: string): Row => ({
  path: ({ batchId }) => `/v1/batches/${batchId}/${what}`,
  expected: ownerOnly(200),
});
/** For an operation of admins on what does not exist. */
const missing = (path: string): Row => ({ path: () => path, expected: adminOnly(404) });
const noneOpen = () => ({ search: 'nothing', expected: 1 });
const exampleOf = ({ image }: Owned) => `/admin/v1/tasks/${image.task_id}/example`;
const sha256Of =
  (scope: string) =>
  ({ image }: Owned) =>
    `${scope}/provenance?sha256=${image.outputs[0]?.sha256}`;

function ofTasks(type: 'image' | 'video'): Record<string, Row> {
  const path = `/v1/${type}s`;
  const one = `${path}/{task_id}`;
  const task = (owned: Owned) => owned[type].task_id;
  const model =
    type === 'image' ? order : () => ({ model_id: 'sketch-motion', prompt: 'a fox', duration: 1, resolution: '480p' });
  return {
    [`POST ${path}`]: { body: model, expected: anyClient(201) },
    [`GET ${path}`]: { expected: anyClient(200) },
    [`GET ${one}`]: { path: (owned) => `${path}/${task(owned)}`, expected: ownerOrClient(200) },
    [`GET ${one}/events`]: { path: (owned) => `${path}/${task(owned)}/events`, expected: ownerOrClient(200) },
    [`GET ${one}/content`]: { path: (owned) => `${path}/${task(owned)}/content`, expected: ownerOrClient(200) },
    [`POST ${one}/restore`]: { path: (owned) => `${path}/${task(owned)}/restore`, expected: ownerOrClient(200) },
    [`POST ${one}/cancel`]: { path: (owned) => `${path}/${task(owned)}/cancel`, expected: ownerOrClient(409) },
    [`GET ${one}/tags`]: { path: (owned) => `${path}/${task(owned)}/tags`, expected: ownerOrClient(200) },
    [`PUT ${one}/tags`]: {
      path: (owned) => `${path}/${task(owned)}/tags`,
      body: () => ({ tags: ['hero'] }),
      expected: ownerOrClient(200),
    },
    [`GET ${one}/receipt`]: { path: (owned) => `${path}/${task(owned)}/receipt`, expected: ownerOnly(200) },
    // The owner has ordered it without deliver_to.
    [`POST ${one}/deliveries`]: { path: (owned) => `${path}/${task(owned)}/deliveries`, expected: ownerOnly(400) },
    // Last of all: the owner's turn comes after the others'.
    [`DELETE ${one}`]: { path: (owned) => `${path}/${task(owned)}`, expected: ownerOrClient(200) },
  };
}

/** One row for each operation of the OpenAPI document. */
export const ROWS: Readonly<Record<string, Row>> = {
  ...PEOPLE_ROWS,
  'GET /v1/catalog': { expected: everyone(200) },
  // The signature in the address stands for a key; without one nobody reads a file.
  'GET /files/{file}': { path: () => '/files/out/xx/img_1/0.png', expected: everyone(403) },
  'GET /examples/{example_id}': { path: () => '/examples/exa_1', expected: everyone(404) },
  'GET /shares/{share_id}/file': { path: () => '/shares/shr_1/file', expected: everyone(403) },
  'GET /shares/{share_id}/files/{number}': { path: () => '/shares/shr_1/files/1', expected: everyone(403) },
  'GET /healthz': { expected: everyone(200) },
  // An admin key gets the details; any other key must not take it for its own.
  'GET /readyz': { expected: { ...anyKey(403), 'no key': 200, admin: 200 } },
  'GET /metrics': { expected: adminOnly(200) },
  ...ofTasks('image'),
  ...ofTasks('video'),
  'GET /.well-known/jwks.json': { expected: everyone(200) },
  'GET /v1/provenance': { path: sha256Of('/v1'), expected: ownerOnly(200) },
  'POST /v1/provenance': { body: ({ picture }) => picture, expected: anyKey(404) },
  'GET /v1/examples': { expected: anyKey(200) },
  'GET /v1/models/{model_id}/examples': { path: () => '/v1/models/sketch/examples', expected: anyKey(200) },
  'GET /admin/v1/examples': { expected: adminOnly(200) },
  // The order is a test order.
  'PUT /admin/v1/tasks/{task_id}/example': { path: exampleOf, expected: adminOnly(400) },
  'DELETE /admin/v1/tasks/{task_id}/example': { path: exampleOf, expected: adminOnly(404) },
  'GET /admin/v1/provenance': { path: sha256Of('/admin/v1'), expected: adminOnly(200) },
  'POST /v1/images/actions': {
    body: ({ grid }) => ({ parent_task_id: grid.task_id, action: 'upscale', index: 1 }),
    expected: ownerOrClient(201),
  },
  'GET /v1/events': {
    path: ({ image, video }) => `/v1/events?tasks=${image.task_id},${video.task_id}`,
    expected: ownerOrClient(200),
  },
  'POST /v1/prices': { body: order, expected: anyClient(200) },
  'POST /v1/prices/compare': { body: () => ({ orders: [order()] }), expected: anyClient(200) },
  'GET /v1/models': { expected: anyClient(200) },
  'GET /v1/models/{model_id}': { path: () => '/v1/models/sketch', expected: anyClient(200) },
  'GET /v1/account': { expected: anyKey(200) },
  'GET /v1/account/usage': { expected: anyKey(200) },
  'GET /v1/account/ledger': { expected: anyKey(200) },
  'GET /v1/requests': { expected: anyKey(200) },
  'GET /v1/account/upstream_keys': { expected: anyKey(200) },
  // Only live keys of the whole account may, and none of these is one.
  'PUT /v1/account/upstream_keys/{engine}': {
    path: () => '/v1/account/upstream_keys/fal',
    body: () => ({ secret: 'fal-secret-of-a-customer' }),
    expected: anyKey(403),
  },
  'DELETE /v1/account/upstream_keys/{engine}': {
    path: () => '/v1/account/upstream_keys/fal',
    expected: anyKey(403),
  },
  'GET /v1/models/{model_id}/data': { path: () => '/v1/models/sketch/data', expected: anyKey(200) },
  'GET /v1/account/data_rules': { expected: anyKey(200) },
  // Only live keys of the whole account may, and none of these is one.
  'PUT /v1/account/data_rules/{subject}': {
    path: () => '/v1/account/data_rules/account',
    body: () => ({ training: false }),
    expected: anyKey(403),
  },
  'DELETE /v1/account/data_rules/{subject}': {
    path: () => '/v1/account/data_rules/account',
    expected: anyKey(403),
  },
  'GET /v1/destinations': { expected: anyKey(200) },
  'GET /v1/destinations/{name}': { path: () => '/v1/destinations/archive', expected: anyKey(404) },
  'PUT /v1/destinations/{name}': {
    path: () => '/v1/destinations/archive',
    body: () => ({ bucket: 'pictures', region: 'eu-central-1', access_key_id: 'AKIA', secret_access_key: 'x' }),
    expected: anyKey(403),
  },
  'DELETE /v1/destinations/{name}': { path: () => '/v1/destinations/archive', expected: anyKey(403) },
  'GET /v1/account/webhooks/deliveries': { expected: anyKey(200) },
  'POST /v1/account/webhooks/deliveries/{delivery_id}/redeliver': {
    path: ({ deliveryId }) => `/v1/account/webhooks/deliveries/${deliveryId}/redeliver`,
    expected: ownerOnly(200),
  },
  // The account has no default URL.
  'POST /v1/account/webhooks/test': { body: nothing, expected: anyKey(400) },
  'GET /v1/account/webhooks/secret': { expected: anyKey(200) },
  // What concerns the whole account needs a key made with --account-view, which none of these is.
  'POST /v1/account/webhooks/secret/rotate': { expected: anyKey(403) },
  'GET /v1/account/webhooks': { expected: anyKey(200) },
  'PUT /v1/account/webhooks': { body: () => ({ url: null }), expected: anyKey(403) },
  // Each key has end users of its own.
  'GET /v1/end_users': { expected: anyKey(200) },
  'GET /v1/end_users/{end_user}': { path: () => '/v1/end_users/ada', expected: anyKey(200) },
  'PUT /v1/end_users/{end_user}': {
    path: () => '/v1/end_users/ada',
    body: () => ({ limits: { day: '1.00' } }),
    expected: anyKey(200),
  },
  'DELETE /v1/end_users/{end_user}': { path: () => '/v1/end_users/ada', expected: anyKey(200) },
  'POST /v1/client_tokens': { body: () => ({ end_user: 'ada' }), expected: anyKey(201) },
  'POST /v1/files': { body: ({ picture }) => picture, expected: anyClient(201) },
  'GET /v1/files/{file_id}': { path: ({ fileId }) => `/v1/files/${fileId}`, expected: ownerOrClient(200) },
  'DELETE /v1/files/{file_id}': { path: ({ fileId }) => `/v1/files/${fileId}`, expected: ownerOrClient(200) },
  'POST /v1/shares': { body: ({ image }) => ({ task_id: image.task_id }), expected: ownerOnly(201) },
  'GET /v1/shares': { expected: anyKey(200) },
  'GET /v1/shares/{share_id}': { path: ({ shareId }) => `/v1/shares/${shareId}`, expected: ownerOnly(200) },
  'DELETE /v1/shares/{share_id}': { path: ({ shareId }) => `/v1/shares/${shareId}`, expected: ownerOnly(200) },
  'GET /v1/tags': { expected: anyClient(200) },
  'POST /v1/batches': { body: batch, expected: anyKey(201) },
  'POST /v1/batches/prices': { body: batch, expected: anyKey(200) },
  'GET /v1/batches': { expected: anyKey(200) },
  'GET /v1/batches/{batch_id}': { path: ({ batchId }) => `/v1/batches/${batchId}`, expected: ownerOnly(200) },
  'GET /v1/batches/{batch_id}/tasks': ofBatch('tasks'),
  'GET /v1/batches/{batch_id}/results': ofBatch('results'),
  'GET /v1/batches/{batch_id}/events': ofBatch('events'),
  'GET /v1/batches/{batch_id}/receipt': ofBatch('receipt'),
  'POST /v1/batches/{batch_id}/cancel': {
    path: ({ batchId }) => `/v1/batches/${batchId}/cancel`,
    body: nothing,
    expected: ownerOnly(200),
  },
  'GET /admin/v1/health': { expected: adminOnly(200) },
  'GET /admin/v1/accounts': { expected: adminOnly(200) },
  'POST /admin/v1/accounts': { body: () => ({ account_id: 'made-here' }), expected: adminOnly(201) },
  'GET /admin/v1/accounts/{account_id}': ofAccount(''),
  'PATCH /admin/v1/accounts/{account_id}': { ...ofAccount(''), body: () => ({ name: 'renamed' }) },
  'GET /admin/v1/accounts/{account_id}/provenance': ofAccount('/provenance'),
  'PUT /admin/v1/accounts/{account_id}/provenance': {
    ...ofAccount('/provenance'),
    body: () => ({ setting: null, prompt: false }),
  },
  'GET /admin/v1/accounts/{account_id}/data_rules': ofAccount('/data_rules'),
  'PUT /admin/v1/accounts/{account_id}/data_rules': { ...ofAccount('/data_rules'), body: () => ({ training: false }) },
  'POST /admin/v1/accounts/{account_id}/credit': {
    path: ({ accountId }) => `/admin/v1/accounts/${accountId}/credit`,
    body: () => ({ amount: '1.00' }),
    expected: adminOnly(201),
  },
  'GET /admin/v1/credits': { expected: adminOnly(200) },
  'POST /admin/v1/credits/{credit_id}/take_back': missing('/admin/v1/credits/crd_missing/take_back'),
  'GET /admin/v1/keys': { expected: adminOnly(200) },
  'GET /admin/v1/keys/usage': {
    path: ({ keyId }) => `/admin/v1/keys/usage?key_ids=${keyId}`,
    expected: adminOnly(200),
  },
  'POST /admin/v1/keys': { body: () => ({ mode: 'test' }), expected: adminOnly(201) },
  'GET /admin/v1/keys/{key_id}': {
    path: ({ keyId }) => `/admin/v1/keys/${keyId}`,
    expected: adminOnly(200),
  },
  'PATCH /admin/v1/keys/{key_id}': {
    path: ({ keyId }) => `/admin/v1/keys/${keyId}`,
    body: () => ({ end_user_limits: { day: '1.00' } }),
    expected: adminOnly(200),
  },
  'POST /admin/v1/keys/{key_id}/revoke': {
    path: ({ keyId }) => `/admin/v1/keys/${keyId}/revoke`,
    expected: adminOnly(200),
  },
  'POST /admin/v1/keys/{key_id}/rotate': {
    path: () => '/admin/v1/keys/key_missing/rotate',
    body: nothing,
    expected: adminOnly(404),
  },
  'GET /admin/v1/engines': { expected: adminOnly(200) },
  'GET /admin/v1/models': { expected: adminOnly(200) },
  'POST /admin/v1/signing_secrets/rotate': { body: () => ({ grace_seconds: 60 }), expected: adminOnly(200) },
  'POST /admin/v1/hold': { expected: adminOnly(200) },
  'DELETE /admin/v1/hold': { expected: adminOnly(200) },
  'POST /admin/v1/engines/{name}/circuit/close': {
    path: () => '/admin/v1/engines/sketch/circuit/close',
    expected: adminOnly(200),
  },
  'POST /admin/v1/engines/{name}/pause': { path: () => '/admin/v1/engines/sketch/pause', expected: adminOnly(200) },
  'POST /admin/v1/engines/{name}/resume': { path: () => '/admin/v1/engines/sketch/resume', expected: adminOnly(200) },
  'POST /admin/v1/models/{name}/pause': { path: () => '/admin/v1/models/sketch/pause', expected: adminOnly(200) },
  'POST /admin/v1/models/{name}/resume': { path: () => '/admin/v1/models/sketch/resume', expected: adminOnly(200) },
  'GET /admin/v1/tasks': { path: ({ keyId }) => `/admin/v1/tasks?search=${keyId}`, expected: adminOnly(200) },
  'GET /admin/v1/tasks/deeds': { expected: adminOnly(200) },
  'POST /admin/v1/tasks/ask': { body: noneOpen, expected: adminOnly(409) },
  'POST /admin/v1/tasks/cancel': { body: noneOpen, expected: adminOnly(409) },
  'POST /admin/v1/tasks/give_up': { body: noneOpen, expected: adminOnly(409) },
  'GET /admin/v1/tasks/{task_id}': {
    path: ({ image }) => `/admin/v1/tasks/${image.task_id}`,
    expected: adminOnly(200),
  },
  'POST /admin/v1/tasks/{task_id}/refund': missing('/admin/v1/tasks/nothing/refund'),
  'POST /admin/v1/tasks/{task_id}/ask': missing('/admin/v1/tasks/nothing/ask'),
  'POST /admin/v1/tasks/{task_id}/cancel': missing('/admin/v1/tasks/nothing/cancel'),
  'POST /admin/v1/tasks/{task_id}/give_up': missing('/admin/v1/tasks/nothing/give_up'),
  'POST /admin/v1/alerts/{alert_id}/acknowledge': missing('/admin/v1/alerts/nothing/acknowledge'),
  'POST /admin/v1/alerts/{alert_id}/silence': {
    path: () => '/admin/v1/alerts/nothing/silence',
    body: () => ({ seconds: 60 }),
    expected: adminOnly(404),
  },
  'GET /admin/v1/reconciliation/causes': { expected: adminOnly(200) },
  'GET /admin/v1/local/models': { expected: adminOnly(200) },
  'POST /admin/v1/local/models/{name}/pull': missing('/admin/v1/local/models/nothing/pull'),
  'POST /admin/v1/local/models/{name}/cancel': missing('/admin/v1/local/models/nothing/cancel'),
  'DELETE /admin/v1/local/models/{name}': missing('/admin/v1/local/models/nothing'),
  'POST /admin/v1/catalog/reload': { expected: adminOnly(200) },
  'GET /admin/v1/audit': { expected: adminOnly(200) },
  'GET /admin/v1/audit/export': { expected: adminOnly(200) },
  'POST /admin/v1/exports': { body: ({ accountId }) => ({ account_id: accountId }), expected: adminOnly(201) },
  'GET /admin/v1/exports/{export_id}/archive': missing('/admin/v1/exports/exp_1/archive'),
  'POST /admin/v1/erasures': { body: () => ({ account_id: 'nobody' }), expected: adminOnly(404) },
  'POST /admin/v1/erasures/repeat': {
    body: () => ({
      erasure_id: 'era_066a7782e0000000000000000w',
      account_id: 'nobody',
      end_user_digest: null,
      requested_at: 0,
    }),
    expected: adminOnly(200),
  },
  'GET /admin/v1/erasures': { expected: adminOnly(200) },
  'GET /admin/v1/erasures/{erasure_id}': missing('/admin/v1/erasures/era_1'),
  'GET /admin/v1/reconciliation': { expected: adminOnly(200) },
  'POST /admin/v1/reconciliation/{id}/resolve': {
    path: () => '/admin/v1/reconciliation/1/resolve',
    body: () => ({ resolution: 'nothing was found' }),
    expected: adminOnly(404),
  },
  'POST /admin/v1/reconciliation/resolve': {
    body: () => ({ ids: ['1'], resolution: 'nothing was found' }),
    expected: adminOnly(404),
  },
  'GET /admin/v1/alerts': { expected: adminOnly(200) },
  'GET /admin/v1/processes': { expected: adminOnly(200) },
  'GET /admin/v1/requests': { expected: adminOnly(200) },
  'GET /admin/v1/events': { expected: adminOnly(200) },
  'GET /admin/v1/failures': { expected: adminOnly(200) },
  'GET /admin/v1/failures/causes': { expected: adminOnly(200) },
  'GET /admin/v1/engines/hours': { expected: adminOnly(200) },
  'GET /admin/v1/costs': { expected: adminOnly(200) },
  'GET /admin/v1/costs/orders': { expected: adminOnly(200) },
  'GET /admin/v1/webhooks/deliveries': { expected: adminOnly(200) },
  'POST /admin/v1/webhooks/deliveries/{delivery_id}/redeliver': {
    path: ({ deliveryId }) => `/admin/v1/webhooks/deliveries/${deliveryId}/redeliver`,
    expected: adminOnly(200),
  },
};
