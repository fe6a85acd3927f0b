import { lookUpTask } from '@darkroom-service/addition-common/operators/look-up-task';
import { type AccountView, formatMicros, given, type Micros, parseMicros } from '@darkroom-service/contract';
import {
  type LocalData,
  type OutputOptions,
  type RepeatableOptions,
  show,
  table,
  usageFault,
  withLocalData,
  writeOnce,
} from '@darkroom-service/darkroom/kernel-cli';

interface CreateOptions extends OutputOptions, RepeatableOptions {
  readonly name?: string;
  readonly limit: string;
}

interface CreditOptions extends OutputOptions, RepeatableOptions {
  readonly note?: string;
}

export async function create(id: string | undefined, options: CreateOptions): Promise<void> {
  const creditLimit = parseLimit(options.limit, '--limit');
  const named = given({ id, name: options.name });
  const { answer: account } = await writeOnce('make', options, {
    asked: { command: 'accounts create', ...named, creditLimit },
    make: ({ customers }, by) => customers.create(by, { ...named, creditLimit }),
    again: readAccount,
  });
  show(options, { json: account, text: describe(account), plain: account.account_id });
}

export async function list(options: OutputOptions): Promise<void> {
  const items = await withLocalData('refuse', ({ customers }) => customers.list());
  const rows = items.map((account) => [
    account.account_id,
    account.name,
    account.balance,
    account.credit_limit ?? 'none',
    account.created_at.slice(0, 10),
  ]);
  const text = table(['ACCOUNT', 'NAME', 'BALANCE USD', 'CREDIT LIMIT', 'CREATED'], rows);
  show(options, { json: { items }, text, plain: items.map((account) => account.account_id).join('\n') });
}

export async function credit(id: string, dollars: string, options: CreditOptions): Promise<void> {
  const amount = parseMicros(dollars);
  if (amount === null) throw usageFault(`<dollars>: expected an amount such as 25.00, found '${dollars}'`);
  const note = options.note ?? null;
  const { answer: account, replayed } = await writeOnce('refuse', options, {
    asked: ({ customers }) => customers.creditFingerprint(id, amount, note),
    make: ({ customers }, by) => customers.credit(by, id, { amount, note }),
    again: readAccount,
  });
  const done = replayed ? 'was credited before; nothing changed' : 'credited';
  show(options, {
    json: { ...account, replayed },
    text: `${formatMicros(amount)} USD ${done}.\n${describe(account)}`,
  });
}

/** Gives the charge of a task back. */
export async function refund(taskId: string, options: OutputOptions & RepeatableOptions): Promise<void> {
  // As over HTTP.
  const asked = { path: `/admin/v1/tasks/${taskId}/refund`, body: {} };
  const { answer: task, replayed } = await writeOnce('refuse', options, {
    asked,
    async make({ database, orders }, by) {
      await orders.refund(by, taskId);
      return await lookUpTask(database.read, taskId);
    },
    again: ({ database }) => lookUpTask(database.read, taskId),
  });
  const done = replayed ? 'were given back before; nothing changed' : 'given back';
  show(options, { json: { ...task, replayed }, text: `${task.refunded} USD ${done}: ${taskId}` });
}

export async function limit(id: string, dollars: string, options: OutputOptions & RepeatableOptions): Promise<void> {
  const creditLimit = parseLimit(dollars, '<dollars>');
  const { answer: account } = await writeOnce('refuse', options, {
    asked: { command: 'accounts limit', id, creditLimit },
    make: ({ customers }, by) => customers.change(by, id, { creditLimit }),
    again: readAccount,
  });
  show(options, { json: account, text: describe(account) });
}

function readAccount({ customers }: LocalData, id: string): Promise<AccountView> {
  return customers.read(id);
}

function describe(account: AccountView): string {
  const limit = account.credit_limit === null ? 'pays later, no limit' : `credit limit ${account.credit_limit} USD`;
  return `${account.account_id} '${account.name}': balance ${account.balance} USD, ${limit}.`;
}

/** Parses a limit in dollars; null = no limit. */
function parseLimit(text: string, where: string): Micros | null {
  if (text === 'none') return null;
  const amount = parseMicros(text);
  if (amount === null || amount < 0) {
    throw usageFault(`${where}: expected dollars such as 100 or 0, or 'none', found '${text}'`);
  }
  return amount;
}
