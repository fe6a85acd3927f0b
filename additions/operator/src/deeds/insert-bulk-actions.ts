import {
  type JsonObject,
  ORDER_DEEDS,
  type OrderDeedName,
  type OrderDeedView,
  ServiceError,
} from '@darkroom-service/contract';
import type { Act, Kernel, Session } from '@darkroom-service/darkroom/kernel';
import { requestWork } from '@darkroom-service/store';

/** The name of a deed for many orders in the audit log, such as `tasks.cancel`. */
const actOf = (deed: OrderDeedName) => `tasks.${deed}`;

/**
 * Enters a deed for each of the orders, all in one commit. Each is then done once, in a commit of its own, by whichever
 * process claims it; a process that dies leaves the rest to others.
 * @param orders.expected number of orders that the caller confirmed
 * @returns the id of the whole
 * @throws ServiceError `orders_changed`
 */
export async function insertBulkActions(
  { accounts, store }: Pick<Kernel, 'accounts' | 'store'>,
  by: Act,
  deed: OrderDeedName,
  orders: { readonly ids: readonly string[]; readonly expected: number; readonly filter: JsonObject },
): Promise<string> {
  const deedId = by.createId('ded');
  const { ids, expected, filter } = orders;
  await store.write('enter_deeds', async (trx) => {
    // Before the number is judged: a repetition may find none, because the first request has changed them.
    await by.binding?.within(trx, deedId);
    if (ids.length !== expected) throw ordersChanged(ids.length, expected);
    const now = await store.now(trx);
    for (const id of ids) requestWork(trx, { kind: 'deed', subject: `${deed}:${id}`, owner: deedId, now });
    await accounts.record(trx, by, { act: actOf(deed), target: deedId, detail: { ...filter, orders: ids.length } });
  });
  return deedId;
}

function ordersChanged(found: number, expected: number): ServiceError {
  const message = `This would change ${found} orders, not ${expected}. Nothing was changed. Look at them again and send \`expected\`: ${found}.`;
  return new ServiceError('orders_changed', message, { param: 'expected' });
}

/** Reads an action that was entered for many orders: its author and its progress. */
export async function findBulkActions(session: Session, deedId: string): Promise<OrderDeedView> {
  const entry = await findEntry(session, deedId);
  const left = await session.first(
    session.builder
      .selectFrom('work')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'deed')
      .where('owner', '=', deedId),
  );
  const deed = ORDER_DEEDS.find((name) => actOf(name) === entry?.act);
  if (entry === undefined || deed === undefined) throw new Error(`the audit log has no entry of the deed ${deedId}`);
  const { orders } = JSON.parse(entry.detail_json) as { readonly orders: number };
  return { deed_id: deedId, deed, orders, pending: Number(left?.count ?? 0) };
}

/** Finds the entry of the audit log of a deed for many orders. */
export async function findEntry(session: Session, deedId: string) {
  return await session.first(session.builder.selectFrom('audit_log').selectAll().where('target', '=', deedId));
}
