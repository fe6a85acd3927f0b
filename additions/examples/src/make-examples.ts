import { createHash } from 'node:crypto';
import { type ApiClient, createApiClient } from '@darkroom-service/addition-common/commands/api-client';
import {
  type CatalogEntry,
  formatMicros,
  type Micros,
  parseMicros,
  type QuoteView,
  type TaskView,
  type Tombstone,
} from '@darkroom-service/contract';
import {
  CommandFault,
  inform,
  loadClientSettings,
  type OutputOptions,
  readEnvironment,
  requireYes,
  show,
  table,
  usageFault,
} from '@darkroom-service/darkroom/kernel-cli';
import type { AdminModelExampleView } from './example-wire.ts';

/** The options of `darkroom examples make`. */
export interface MakeOptions extends OutputOptions {
  readonly prompt: string;
  readonly maxSpend: Micros;
  readonly yes?: true;
}

/** An order of an example that has a price. */
interface Planned {
  readonly model: string;
  readonly type: TaskView['type'];
  readonly price: Micros;
}

interface Compared {
  readonly quote: QuoteView | null;
  readonly refusal: { readonly message: string } | null;
}

interface Made {
  readonly model_id: string;
  /** The id; null = it could not be placed. */
  readonly task_id: string | null;
  /** The charge, in dollars; null = not known. */
  readonly amount: string | null;
  /** The reason that it is not shown; null = it is. */
  readonly fault: string | null;
}

/** Most orders of one comparison of prices. */
const MOST_COMPARED = 200;
const PAGE = 100;
/** Time for which reads are retried; longer than a restart of the service. */
const PATIENCE_MS = 60_000;

/** Orders an example of each model that has none, cheapest first, and shows those that succeed. @throws CommandFault */
export async function makeExamples(models: readonly string[], options: MakeOptions): Promise<void> {
  const { orders, admin } = openClients();
  const { planned, left } = await plan(orders, await modelsWithExample(admin), models, options.prompt);
  const chosen = withinBudget(planned, options.maxSpend);
  inform(options, describePlan(chosen, planned.length - chosen.length, left));
  const isAgreed =
    options.yes === true || chosen.length === 0 || (await requireYes('Place these orders?', 'Add --yes to order.'));
  if (!isAgreed) throw new CommandFault('Nothing was ordered.');
  const placed: { readonly order: Planned; readonly task: TaskView | Tombstone | CommandFault }[] = [];
  for (const order of chosen) placed.push({ order, task: await orFault(() => place(orders, order, options.prompt)) });
  const made: Made[] = [];
  for (const { order, task } of placed) made.push(await showWhenMade({ orders, admin }, order, task));
  const rows = made.map(({ model_id, task_id, amount, fault }) => [
    model_id,
    task_id ?? '-',
    amount ?? '-',
    fault ?? 'shown',
  ]);
  show(options, { json: { items: made }, text: table(['MODEL', 'ORDER', 'USD', 'RESULT'], rows) });
  if (made.some(({ fault }) => fault !== null)) process.exitCode = 1;
}

/** @throws CommandFault if the keys are not a live key and an admin key */
function openClients(): { readonly orders: ApiClient; readonly admin: ApiClient } {
  const environment = readEnvironment();
  const settings = loadClientSettings(environment);
  const orders = createApiClient(settings);
  const admin = createApiClient({ ...settings, apiKey: environment.DARKROOM_ADMIN_KEY ?? null });
  if (orders.mode !== 'live') throw usageFault('DARKROOM_API_KEY: expected a live key, which pays for the examples');
  if (admin.mode !== 'admin') throw usageFault('DARKROOM_ADMIN_KEY: expected an admin key, which shows the examples');
  return { orders, admin };
}

async function modelsWithExample(admin: ApiClient): Promise<ReadonlySet<string>> {
  const models = new Set<string>();
  for (let after = ''; ; ) {
    const page = await admin.get<{ items: AdminModelExampleView[]; has_more: boolean }>(
      `/admin/v1/examples?limit=${PAGE}${after}`,
    );
    for (const { model_id } of page.items) models.add(model_id);
    const last = page.items.at(-1);
    if (!page.has_more || last === undefined) return models;
    after = `&after=${last.example_id}`;
  }
}

/** Asks the prices of all models without an example. @returns `left`: why the others cannot be ordered, by model */
async function plan(
  orders: ApiClient,
  withExample: ReadonlySet<string>,
  models: readonly string[],
  prompt: string,
): Promise<{ readonly planned: readonly Planned[]; readonly left: ReadonlyMap<string, string> }> {
  const { items } = await orders.get<{ items: CatalogEntry[] }>('/v1/models');
  const unknown = models.filter((model) => !items.some(({ model_id }) => model_id === model));
  if (unknown.length > 0) throw usageFault(`this key can order no model ${unknown.join(', ')}. See darkroom models.`);
  const asked = items
    .map(({ model_id }) => model_id)
    .filter((model) => !withExample.has(model) && (models.length === 0 || models.includes(model)));
  const planned: Planned[] = [];
  const left = new Map<string, string>();
  for (let first = 0; first < asked.length; first += MOST_COMPARED) {
    const some = asked.slice(first, first + MOST_COMPARED);
    const body = { orders: some.map((model_id) => ({ model_id, prompt })) };
    const compared = await orders.post<{ items: Compared[] }>('/v1/prices/compare', body);
    for (const [place, { quote, refusal }] of compared.items.entries()) {
      const model = some[place] ?? '';
      const price = parseMicros(quote?.amount ?? '');
      if (quote === null || price === null || refusal !== null) left.set(model, refusal?.message ?? 'It has no price.');
      else planned.push({ model, type: quote.type, price });
    }
  }
  return { planned: planned.sort((one, other) => one.price - other.price), left };
}

function withinBudget(planned: readonly Planned[], budget: Micros): readonly Planned[] {
  let sum = 0;
  return planned.filter(({ price }) => {
    sum += price;
    return sum <= budget;
  });
}

function describePlan(chosen: readonly Planned[], tooDear: number, left: ReadonlyMap<string, string>): string {
  const sum = chosen.reduce((total, { price }) => total + price, 0);
  const rows = chosen.map(({ model, price }) => [model, formatMicros(price)]);
  const reasons = [...left].map(([model, reason]) => `${model}: ${reason}`);
  const summary = `${chosen.length} orders for ${formatMicros(sum)} USD. Beyond --max-spend: ${tooDear}. Cannot be ordered: ${left.size}.`;
  return [table(['MODEL', 'USD'], rows), ...reasons, summary].join('\n');
}

/** Places an order, or finds the one that an earlier run placed. A failed one cost nothing and is placed again. */
async function place(
  orders: ApiClient,
  { model, type, price }: Planned,
  prompt: string,
): Promise<TaskView | Tombstone> {
  const path = type === 'video' ? '/v1/videos' : '/v1/images';
  const body = { model_id: model, prompt, max_price: formatMicros(price) };
  const name = `example ${createHash('sha256')
    .update(JSON.stringify([model, prompt]))
    .digest('hex')
    .slice(0, 32)}`;
  for (let key = name; ; ) {
    const task = await orders.post<TaskView | Tombstone>(path, body, { headers: { 'idempotency-key': key } });
    if ('deleted_at' in task || !(task.status === 'failed' || task.status === 'canceled')) return task;
    key = `${name} after ${task.task_id}`;
  }
}

/** Waits for the end of an order, and shows it as an example if it succeeded. */
async function showWhenMade(
  { orders, admin }: { readonly orders: ApiClient; readonly admin: ApiClient },
  { model, type }: Planned,
  placed: TaskView | Tombstone | CommandFault,
): Promise<Made> {
  const none = { model_id: model, task_id: null, amount: null };
  if (placed instanceof CommandFault) return { ...none, fault: placed.message };
  const { task_id } = placed;
  if ('deleted_at' in placed) return { ...none, task_id, fault: 'The order was deleted.' };
  const task = await orFault(() => whenFinal(orders, `/v1/${type}s/${task_id}`, placed));
  if (task instanceof CommandFault) return { ...none, task_id, fault: task.message };
  const made = { model_id: model, task_id, amount: task.cost.amount };
  if (task.status !== 'succeeded') return { ...made, fault: task.error?.message ?? 'The order was canceled.' };
  const shown = await orFault(() => admin.put(`/admin/v1/tasks/${task_id}/example`));
  return { ...made, fault: shown instanceof CommandFault ? shown.message : null };
}

async function whenFinal(orders: ApiClient, path: string, placed: TaskView): Promise<TaskView> {
  let task = placed;
  while (task.status === 'queued' || task.status === 'processing')
    task = await orders.get<TaskView>(path, { headers: { prefer: 'wait=20' }, patienceMs: PATIENCE_MS });
  return task;
}

/** A fault of one example does not stop the others. */
async function orFault<Value>(act: () => Promise<Value>): Promise<Value | CommandFault> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CommandFault) return error;
    throw error;
  }
}
