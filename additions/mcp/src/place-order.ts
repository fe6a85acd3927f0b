import {
  type BatchQuoteView,
  type EndUserView,
  formatMicros,
  type Micros,
  type OwnAccountView,
  parseMicros,
  type QuoteView,
  sleep,
  type TaskView,
  world,
} from '@darkroom-service/contract';
import { callForAnswer, callForData, Refusal } from './call-api.ts';
import type { Order } from './order.ts';
import type { ToolContext } from './tool-context.ts';

/** Attempts at a create that got no answer, or was refused for now. All have one key, so they make one order. */
const TRIES = 3;
const PAUSE_MS = 500;
/** Time after which nothing is tried again: a try may take as long as files are examined, and proxies wait 50 s. */
const TRIES_WITHIN_MS = 10_000;

/** Result of a placement. `placed` is `data` of the answer. */
type Outcome<Placed> =
  | { readonly kind: 'placed'; readonly placed: Placed; readonly replayed: boolean }
  | { readonly kind: 'needs approval'; readonly amount: Micros; readonly limit: Micros };

/**
 * Places an order once, within the budget of its conversation and the price that a person agreed to.
 * @param approved micro-dollars; null = nobody was asked
 * @param begunAt as in `ToolCall`
 * @throws Refusal; `budget_exceeded` if the conversation may not spend the price
 */
export async function placeOrder<Placed>(
  context: ToolContext,
  order: Order,
  approved: Micros | null,
  begunAt: number,
): Promise<Outcome<Placed>> {
  const { budget } = context.conversation;
  const limit = approved === null ? await approvalLimit(context) : null;
  if (approved === null && limit === null && budget === null) return await send(context, order, begunAt);
  const amount = approved ?? (await priceOf(context, order));
  const bound = withMaxPrice(order, amount);
  const needsApproval = limit !== null && amount > limit;
  const left = budget === null ? null : budget - (await spentInConversation(context));
  // A free order exceeds no budget, however far it is overdrawn.
  const exceedsBudget = left !== null && amount > Math.max(0, left);
  // The call may be a repetition: its earlier order was approved and is in the budget already.
  if ((needsApproval || exceedsBudget) && !(await wasPlaced(context, order, begunAt))) {
    if (exceedsBudget) throw overBudget(amount, left, budget ?? 0);
    if (limit !== null) return { kind: 'needs approval', amount, limit };
  }
  return await send(context, bound, begunAt);
}

/** Returns the current price of an order: the most that it may cost. @throws Refusal */
async function priceOf({ call }: ToolContext, { path, body }: Pick<Order, 'path' | 'body'>): Promise<Micros> {
  if (path === '/v1/batches') return parseMicros((await quoteBatch(call, body)).amount) ?? 0;
  const isAction = path === '/v1/images/actions';
  const parent = isAction ? await parentModel(call, body.parent_task_id) : {};
  const quote = await callForData<QuoteView>(call, {
    method: 'POST',
    path: '/v1/prices',
    body: { ...parent, ...(body.allow_dearer === true ? body : withoutMaxPrice(body)) },
  });
  return parseMicros(quote.highest_amount ?? quote.amount) ?? 0;
}

/** Returns the price of all orders of a batch. @throws Refusal */
export async function quoteBatch(call: ToolContext['call'], body: Order['body']): Promise<BatchQuoteView> {
  return await callForData(call, { method: 'POST', path: '/v1/batches/prices', body: withoutMaxPrice(body) });
}

/** Returns the model of the task that an action follows up on; the price of an action names it. */
export async function parentModel(call: ToolContext['call'], taskId: unknown): Promise<{ readonly model_id?: string }> {
  if (typeof taskId !== 'string') return {};
  const path = `/v1/images/${encodeURIComponent(taskId)}`;
  return { model_id: (await callForData<TaskView>(call, { method: 'GET', path })).model_id };
}

async function approvalLimit({ call }: ToolContext): Promise<Micros | null> {
  const { key } = await callForData<OwnAccountView>(call, { method: 'GET', path: '/v1/account' });
  return key.approve_over === null ? null : parseMicros(key.approve_over);
}

/** Binds the price: the order is refused if it costs more by then. A lower limit of the caller stays. */
function withMaxPrice(order: Order, amount: Micros): Order {
  const own = order.body.max_price;
  const ownMicros = own === undefined || own === null ? null : parseMicros(String(own));
  if (ownMicros !== null && ownMicros <= amount) return order;
  return { ...order, body: { ...order.body, max_price: formatMicros(amount) } };
}

function withoutMaxPrice({ max_price: _, ...body }: Order['body']): Order['body'] {
  return body;
}

/**
 * Tells whether the key of the order is bound. The test is an order with a maximum price of 0: a bound key refuses it
 * for its different body, and a free key for its price, which binds nothing.
 */
async function wasPlaced(context: ToolContext, order: Order, begunAt: number): Promise<boolean> {
  try {
    await send(context, { ...order, body: { ...order.body, max_price: '0' } }, begunAt);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.error.code === 'idempotency_key_reused') return true;
    if (error instanceof Refusal && error.error.code === 'price_exceeded') return false;
    throw error;
  }
}

async function send<Placed>(
  { call }: ToolContext,
  { path, body, key }: Order,
  begunAt: number,
): Promise<Outcome<Placed>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const headers = { 'idempotency-key': key };
      const request = { method: 'POST', path, body, headers } as const;
      const { data, header } = await callForAnswer<Placed>(call, request);
      return { kind: 'placed', placed: data, replayed: header('idempotent-replayed') === 'true' };
    } catch (error) {
      const isLast = attempt >= TRIES || world.monotonic() - begunAt >= TRIES_WITHIN_MS;
      if (isLast || !(error instanceof Refusal) || !mayPassSoon(error)) throw error;
      await sleep(PAUSE_MS * 2 ** attempt);
    }
  }
}

function mayPassSoon({ error }: Refusal): boolean {
  return error.retryable === true && (error.code === 'unreachable' || (error.status ?? 0) >= 500);
}

function overBudget(amount: Micros, left: Micros, budget: Micros): Refusal {
  const rest = formatMicros(Math.max(0, left));
  return new Refusal({
    code: 'budget_exceeded',
    message: `The order costs ${formatMicros(amount)} USD, and ${rest} USD of this conversation's budget of ${formatMicros(budget)} USD are left. Nothing was ordered.`,
    retryable: false,
  });
}

/**
 * Returns the cost of the conversation's orders: charged if they succeeded, held while they run, nothing otherwise. The
 * orders of a batch count from its creation, before their tasks exist.
 */
async function spentInConversation({ call, conversation }: ToolContext): Promise<Micros> {
  const path = `/v1/end_users/${encodeURIComponent(conversation.id ?? '')}`;
  const { windows } = await callForData<EndUserView>(call, { method: 'GET', path });
  return (parseMicros(windows.total.charged) ?? 0) + (parseMicros(windows.total.held) ?? 0);
}
