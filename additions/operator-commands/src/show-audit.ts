import { type ActFilter, exportActs, listActs } from '@darkroom-service/addition-common/operators/search-acts';
import { given } from '@darkroom-service/contract';
import {
  type OutputOptions,
  printJsonLines,
  show,
  table,
  usageFault,
  withLocalData,
} from '@darkroom-service/darkroom/kernel-cli';

interface FilterOptions {
  readonly actor?: string;
  readonly act?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
}

const MOST = 1_000;

export async function listAudit(options: OutputOptions & FilterOptions & { readonly limit: string }): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw usageFault(`--limit: expected a whole number from 1 to ${MOST}, found '${options.limit}'`);
  const filter = filterOf(options);
  const { items, hasMore } = await withLocalData('refuse', ({ database }) =>
    listActs(database.read, { limit, after: null, filter }),
  );
  const rows = items.map((one) => [
    one.created_at,
    one.actor_name === null ? one.actor : `${one.actor} (${one.actor_name})`,
    one.address,
    one.act,
    one.target,
    JSON.stringify(one.detail),
  ]);
  const text =
    items.length === 0 ? 'There are no such changes.' : table(['TIME', 'BY', 'FROM', 'ACT', 'TARGET', 'DETAIL'], rows);
  const plain = items.map((one) => one.audit_id).join('\n');
  show(options, { json: { items, limit, has_more: hasMore }, text, plain });
}

export async function exportAudit(options: FilterOptions): Promise<void> {
  const filter = filterOf(options);
  await withLocalData('refuse', async ({ database }) => {
    await printJsonLines(exportActs(database.read, filter));
  });
}

function filterOf({ actor, act, target, from, to }: FilterOptions): ActFilter {
  return given({ actor, act, target, from: timeOf('--from', from), to: timeOf('--to', to) });
}

function timeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw usageFault(
      `${option}: expected a date or a time such as 2026-11-20 or 2026-11-20T08:00:00Z, found '${text}'`,
    );
  return time;
}
