import assert from 'node:assert/strict';
import type { TestService } from '../helpers/service.ts';

/** Reports of usage, of days that sums of days or of quarters of an hour have. */
const USAGE = [
  'group_by=day',
  'group_by=model_id',
  'group_by=end_user',
  'end_user=ann',
  'group_by=day&timezone=Europe/Berlin',
  'group_by=day&timezone=America/St_Johns&end_user=ann',
];

/** Requests of customers and operators that read, beyond those of `goHotWays`; `{…}` stands for what is there. */
const CUSTOMER = [
  '/v1/account',
  ...['key', 'account'].flatMap((scope) =>
    [...USAGE, 'timing=true'].map((wish) => `/v1/account/usage?{day}&scope=${scope}&${wish}`),
  ),
  '/v1/account/ledger?limit=1',
  '/v1/account/ledger?limit=1&scope=account',
  '/v1/account/webhooks/deliveries?limit=1',
  ...['pending', 'failed', 'delivered'].flatMap((status) => [
    `/v1/account/webhooks/deliveries?limit=1&status=${status}`,
    `/v1/account/webhooks/deliveries?limit=1&status=${status}&scope=account`,
  ]),
  '/v1/account/webhooks/deliveries?task_id={task}',
  '/v1/account/webhooks/deliveries?task_id={task}&scope=account',
  '/v1/batches?limit=1',
  '/v1/batches?status=processing',
  '/v1/batches/{batch}',
  '/v1/batches/{batch}/tasks?limit=1',
  '/v1/end_users?limit=1',
  '/v1/end_users/ann',
  '/v1/images?limit=1',
  '/v1/images?limit=1&offset=2',
  '/v1/images?model_id=sketch&status=queued',
  '/v1/images?end_user=ann&status=processing',
  '/v1/images/{task}',
  '/v1/images/{task}/receipt',
  '/v1/requests?limit=1',
  '/v1/shares?limit=1',
  '/v1/tags',
];
const OPERATOR = [
  '/admin/v1/accounts',
  '/admin/v1/accounts/default',
  ...['', '&group_by=engine', '&group_by=account_id,model_id'].map((groups) => `/admin/v1/costs?{day}${groups}`),
  ...[
    '',
    ...['below_cost', 'unknown', 'differing', 'unsuccessful', 'without_amount'].map((note) => `&note=${note}`),
  ].map((note) => `/admin/v1/costs/orders?{day}&limit=1${note}`),
  '/admin/v1/keys/usage?key_ids={key}',
  '/admin/v1/models',
  '/admin/v1/people?limit=1',
  '/admin/v1/invitations',
  '/admin/v1/keys?limit=1',
  '/admin/v1/credits?limit=1',
  '/admin/v1/reconciliation?limit=1',
  '/admin/v1/reconciliation?limit=1&resolved=true',
  '/admin/v1/reconciliation/causes',
  '/admin/v1/audit?limit=1',
  '/admin/v1/audit?limit=1&act=key.create',
  ...['all', 'open', 'failed', 'unknown'].map((state) => `/admin/v1/tasks?limit=1&state=${state}`),
  '/admin/v1/tasks/{task}',
  '/admin/v1/tasks/deeds',
  '/admin/v1/failures?limit=1',
  '/admin/v1/failures/causes',
  // All have the mode test.
  ...['', '&status=pending', '&status=failed'].flatMap((status) =>
    ['', '&account_id=default'].flatMap((account) =>
      ['', '&mode=test', '&mode=live'].map((mode) => `/admin/v1/webhooks/deliveries?limit=1${status}${account}${mode}`),
    ),
  ),
  '/admin/v1/requests?limit=1',
  '/admin/v1/requests?limit=1&status=5xx',
  '/admin/v1/requests?limit=1&task_id={task}',
  '/admin/v1/processes',
  '/admin/v1/alerts',
  '/admin/v1/engines',
  '/admin/v1/engines/hours',
  '/admin/v1/erasures',
  '/admin/v1/health',
  '/readyz',
  '/metrics',
];
/** Requests of a person who manages an account. */
const MANAGER = [
  '/v1/account/members?limit=1',
  '/v1/account/invitations',
  '/v1/account/keys',
  '/v1/account/tasks?limit=1',
  '/v1/account/tasks?limit=1&type=image',
  '/v1/account/tasks/{task}',
  '/v1/account/webhooks/deliveries?limit=1&status=failed',
];

interface Asked {
  readonly status: number;
  readonly body: unknown;
}

/** What may name an item, in the order in which to take it as the cursor. */
const CURSORS = [
  'entry_id',
  'delivery_id',
  'reconciliation_id',
  'share_id',
  'credit_id',
  'task_id',
  'batch_id',
  'end_user',
  'key_id',
  'account_id',
  'person_id',
];

/** Asks each request that reads, and those of lists for their next pages. @returns how many it asked */
export async function readEverything(
  { call, keys }: TestService,
  callers: { readonly key: string; readonly manager: string },
  places: Readonly<Record<'task' | 'batch' | 'key' | 'day', string>>,
): Promise<number> {
  let asked = 0;
  const refused: string[] = [];
  for (const [caller, paths] of [
    [callers.key, CUSTOMER],
    [callers.manager, MANAGER],
    [keys.admin, OPERATOR],
  ] as const)
    for (const pattern of paths) {
      const path = pattern.replace(/\{(task|batch|key|day)\}/, (_, name: keyof typeof places) => places[name]);
      let next: string | null = '';
      for (let page = 0; page < 3 && next !== null; page++) {
        const answer: Asked = await call(caller, 'GET', `${path}${next}` as '/v1/account');
        const { status, body } = answer;
        if (status !== 200) refused.push(`${path}${next} ${JSON.stringify(body)}`);
        asked++;
        next = nextOf(path, body);
      }
    }
  assert.deepEqual(refused, []);
  return asked;
}

function nextOf(path: string, body: unknown): string | null {
  const data = (body as { data?: { items?: Record<string, string>[]; has_more?: boolean; next_after?: string } } | null)
    ?.data;
  const last = data?.items?.at(-1);
  if (data?.has_more !== true || path.includes('offset=')) return null;
  const name = CURSORS.find((one) => typeof last?.[one] === 'string');
  const after = data.next_after ?? (name === undefined ? undefined : last?.[name]);
  return after === undefined ? null : `${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(after)}`;
}
