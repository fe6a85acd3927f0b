import { type BudgetNoticeView, formatMicros, isoTime } from '@darkroom-service/contract';
import { type Kernel, prepare, type Transaction } from '@darkroom-service/darkroom/kernel';
import type { ReachedLimit } from './reached-limit.ts';

interface Notice {
  subject: string;
  period: string;
  limit: number;
  share: number;
}

const insertNotice = prepare<Notice, { share: number }>('budget_notice', (builder, argument) =>
  builder
    .insertInto('budget_notices')
    .values({
      subject: argument('subject'),
      period: argument('period'),
      spend_limit: argument('limit'),
      share: argument('share'),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('share'),
);

/**
 * Notifies the account of a reached limit, in one unit with the record of that: once, whichever processes try and when
 * they are killed. A webhook belongs to an order, with which it is kept, exported and erased: here the newest one.
 * Without an order there is no notice.
 */
export async function notifyReached(
  { accounts, clock, store }: Pick<Kernel, 'accounts' | 'clock' | 'store'>,
  reached: ReachedLimit,
): Promise<void> {
  const { key, subject, period, limit, share } = reached;
  await store.write('budget_notice', async (trx) => {
    const order = await newestOrder(trx, reached);
    if (order === null || (await trx.first(insertNotice, { subject, period, limit, share })) === undefined) return;
    const owner = { account_id: key.accountId, api_key_id: key.id };
    const about = { id: order, ...owner, webhook_url: key.url, deliver_json: null };
    const now = clock.now();
    const event = { type: 'budget.reached', data: viewNotice(reached, now), now } as const;
    accounts.notify(trx, about, (follower, unit) => follower.told?.(unit, about, event));
  });
}

/** Returns the newest order of the key, or of its end user as long as it names that; null = none. */
async function newestOrder(trx: Transaction, { key, endUser }: ReachedLimit): Promise<string | null> {
  const found: string[] = [];
  for (const type of ['image', 'video'] as const) {
    const orders = trx.builder
      .selectFrom('tasks')
      .select('id')
      .where('api_key_id', '=', key.id)
      .where('type', '=', type)
      .orderBy('id', 'desc')
      .limit(1);
    const newest = await trx.first(endUser === null ? orders : orders.where('end_user', '=', endUser));
    if (newest !== undefined) found.push(newest.id);
  }
  const timeOf = (id: string) => id.slice(id.indexOf('_'));
  return found.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))[0] ?? null;
}

function viewNotice(reached: ReachedLimit, now: number): BudgetNoticeView {
  const { key, endUser, window, period, limit, used, share } = reached;
  return {
    key_id: key.id,
    end_user: endUser,
    mode: key.mode,
    window,
    period: window === 'total' ? null : period,
    limit: formatMicros(limit),
    used: formatMicros(used),
    currency: 'USD',
    share,
    created_at: isoTime(now),
  };
}
