import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import type { Storage } from '@darkroom-service/media';
import { balanceOf } from '../../src/accounts/ledger.ts';
import type { Database } from '../../src/database/database.ts';
import { isFinal, type TaskRow, thumbnailKeyOf } from '../../src/record/task.ts';
import { outputsOf } from '../../src/record/task-json.ts';
import { sweptKeys } from '../helpers/swept-keys.ts';
import { openTestServices } from '../helpers/task-services.ts';
import { promise } from './broken-promise.ts';
import type { Customers } from './customers.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import type { Premises } from './premises.ts';
import type { Receiver } from './receiver.ts';

const DAY_MS = 24 * 3_600_000;

export interface Witnesses {
  readonly customers: Customers;
  readonly upstream: FakeUpstream;
  readonly receiver: Receiver;
}

/** Each account and each task is in one installation. */
export function checkHomes(
  homes: readonly { readonly tasks: readonly TaskRow[]; readonly accounts: readonly string[] }[],
  accounts: readonly string[],
): void {
  const known = homes.flatMap((home) => home.accounts).filter((account) => accounts.includes(account));
  promise(known.sort().join() === [...accounts].sort().join(), `there are the accounts ${known}, expected ${accounts}`);
  const ids = homes.flatMap(({ tasks }) => tasks.map(({ id }) => id));
  promise(new Set(ids).size === ids.length, 'a task is in two installations');
}

/**
 * Every 201 has its one task, which ended as its customer saw; what the upstream took it took once, and a success is
 * nothing but what it took.
 */
export function checkTasks(tasks: readonly TaskRow[], { customers, upstream }: Witnesses): void {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const [name, taskId] of customers.promised) {
    const task = byId.get(taskId);
    promise(task !== undefined, `'${name}' was answered 201 with ${taskId}, which is not there`);
    promise(isFinal(task.status), `${taskId} of '${name}' is still ${task.step}`);
    const seen = customers.seen.get(taskId);
    promise(seen === undefined || seen === task.status, `${taskId} is ${task.status}, and its customer saw ${seen}`);
  }
  const promised = new Set(customers.promised.values());
  promise(promised.size === customers.promised.size, 'one task was promised for two orders');
  for (const { id } of tasks) promise(promised.has(id), `nobody was promised the task ${id}`);
  for (const [taskId, times] of upstream.taken) {
    promise(times <= 1, `the order of ${taskId} was sent ${times} times`);
    promise(byId.has(taskId), `the upstream took ${taskId}, which nobody ordered`);
  }
  for (const task of tasks)
    promise(task.status !== 'succeeded' || upstream.taken.get(task.id) === 1, `${task.id} succeeded by nobody's work`);
  // A service that fails everything would keep all the rest.
  const succeeded = tasks.filter((task) => task.status === 'succeeded').length;
  const begun = upstream.deeds.get('ended an order: picture') ?? 0;
  promise(succeeded > 0 && succeeded >= begun / 2, `${begun} pictures were made, and ${succeeded} tasks succeeded`);
}

/** One hold and one settlement for each task, one hold for a batch, and balances that are the sums of their entries. */
export async function checkMoney(
  { read }: Database,
  tasks: readonly TaskRow[],
  accounts: readonly string[],
): Promise<void> {
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll());
  const byTask = Map.groupBy(entries, (entry) => entry.task_id);
  for (const task of tasks) {
    const amounts = (kind: string) =>
      (byTask.get(task.id) ?? []).filter((entry) => entry.kind === kind).map((entry) => entry.amount);
    const charged = task.status === 'succeeded' ? (task.charged ?? 0) : 0;
    const found = JSON.stringify([amounts('hold'), amounts('release'), amounts('charge')]);
    const holds = task.line === 0 ? [-task.price] : [];
    const expected = JSON.stringify([holds, [task.price], charged > 0 ? [-charged] : []]);
    promise(found === expected, `${task.id} (${task.status}) was entered as ${found}, expected ${expected}`);
  }
  const known = new Set(tasks.map(({ id }) => id));
  const inBatch = await read.all(read.builder.selectFrom('batch_orders').select(['batch_id', 'price']));
  for (const [batchId, own] of Map.groupBy(inBatch, (order) => order.batch_id)) {
    known.add(batchId);
    const found = (byTask.get(batchId) ?? []).map(({ kind, amount }) => `${kind} ${amount}`).join();
    const sum = own.reduce((total, { price }) => total + price, 0);
    promise(found === `hold ${-sum}`, `${batchId} was entered as ${found}, expected one hold of ${sum}`);
  }
  for (const { task_id } of entries)
    promise(task_id === null || known.has(task_id), `there are entries of ${task_id}, which is not there`);
  for (const account of accounts) {
    const sum = entries
      .filter((entry) => entry.account_id === account)
      .reduce((total, { amount }) => total + amount, 0);
    const balance = await balanceOf(read, account, 'live');
    promise(balance === sum, `the balance of ${account} is ${balance}, its entries add up to ${sum}`);
  }
}

/** Checks that exactly the tasks of unknown outcome are listed for the operator as such. */
export async function checkReconciliation({ read }: Database, tasks: readonly TaskRow[]): Promise<void> {
  const rows = await read.all(
    read.builder.selectFrom('reconciliation').select('task_id').where('kind', '=', 'outcome_unknown'),
  );
  const listed = rows.map((row) => row.task_id).sort();
  const unknown = tasks.filter((task) => task.error_json?.includes('"outcome_unknown"')).map(({ id }) => id);
  promise(listed.join() === unknown.sort().join(), `of unknown outcome are ${unknown}, listed are ${listed}`);
}

/** Every end was told, with one id, as it was. */
export function checkWebhooks(tasks: readonly TaskRow[], { receiver }: Witnesses): void {
  for (const task of tasks) {
    const told = receiver.told.get(task.id);
    promise(told !== undefined, `the receiver was never told of ${task.id} (${task.status})`);
    promise(told.size === 1, `${told.size} events tell of the end of ${task.id}`);
    for (const status of told.values())
      promise(status === task.status, `${task.id} is ${task.status}, and its receiver was told ${status}`);
  }
}

/** Checks that storage, swept some days later, has exactly the files that tasks name, whole. No service may run. */
export async function checkFiles(database: Database, storage: Storage, tasks: readonly TaskRow[]): Promise<void> {
  const closers: (() => Promise<void> | void)[] = [];
  const { services } = await openTestServices({
    after: (close: () => Promise<void>) => closers.push(close),
  } as unknown as TestContext);
  let left: string[];
  try {
    left = await sweptKeys(services, { database, storage, now: () => Date.now() + 3 * DAY_MS });
  } finally {
    for (const close of closers.reverse()) await close();
  }
  const named = new Map<string, string | null>();
  const drawn = new Set<string | null>();
  for (const task of tasks) {
    for (const output of outputsOf(task)) {
      const { key, sha256, thumbnailKey, previewKey = null } = output;
      named.set(key, sha256);
      for (const each of [thumbnailKey, previewKey]) if (each !== null) named.set(each, null);
      // That of a picture is made when it is first asked for.
      drawn.add(thumbnailKeyOf(output));
    }
    promise(
      task.status !== 'succeeded' || task.outputs_json.includes('"key"'),
      `${task.id} succeeded and has no output`,
    );
  }
  for (const key of left) promise(named.has(key) || drawn.has(key), `the file ${key} belongs to nothing`);
  for (const [key, sha256] of named) {
    const hash = createHash('sha256');
    for await (const piece of await storage.open(key)) hash.update(piece as Buffer);
    const found = hash.digest('hex');
    promise(sha256 === null || found === sha256, `the file ${key} is not what was stored`);
  }
}

/** Checks that the accounts shown to customers equal the books. */
export async function checkAccounts({ read }: Database, url: string, keys: Premises['keys']): Promise<void> {
  for (const { secret, account } of keys) {
    const response = await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${secret}` } });
    promise(response.status === 200, `GET /v1/account was answered ${response.status}`);
    const { data } = (await response.json()) as { data: { balance: string; held: string } };
    promise(parseMicros(data.held) === 0, `${data.held} are held although every task is final`);
    const balance = await balanceOf(read, account, 'live');
    promise(parseMicros(data.balance) === balance, `${account} is shown ${data.balance}, its books hold ${balance}`);
  }
}
