import type { Addition } from '../../service/addition.ts';
import { enterDelivery } from '../../tasks/events/webhook-deliveries.ts';
import type { Followed, FollowerUnit } from '../../tasks/follower.ts';

/** Signed events for receivers of customers. */
export const WEBHOOKS: Addition = {
  name: 'webhooks',
  follower: {
    name: 'webhooks',
    bit: 1,
    follows: ({ webhook_url }) => webhook_url !== null,
    ended: (unit, followed, { event, now }) => enter(unit, followed, event, now),
    refunded: (unit, followed, now) => enter(unit, followed, 'task.refunded', now),
    delivered: (unit, followed, { isComplete, now }) =>
      enter(unit, followed, isComplete ? 'task.delivered' : 'task.delivery_failed', now),
  },
};

function enter(
  unit: FollowerUnit,
  { id, account_id: account, api_key_id: key, webhook_url: url }: Followed,
  type: Parameters<typeof enterDelivery>[1]['type'],
  now: number,
): void {
  // Its URL was erased, or it is not to be told any more.
  if (url === null) return;
  enterDelivery(unit, { id: unit.createId('whd'), account, key, subject: id, type, url, now });
  unit.wakeAfterCommit('webhook');
}
