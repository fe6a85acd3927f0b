import { readFile } from 'node:fs/promises';
import { type ApiClient, createApiClient } from '@darkroom-service/addition-common/commands/api-client';
import type { CostSpan } from '@darkroom-service/addition-common/commands/report-costs';
import { type CostRowView, decodeText, formatMicros, parseMicros } from '@darkroom-service/contract';
import type { Wire } from '@darkroom-service/contract/parts';
import type { CostReport } from '@darkroom-service/contract/schemas';
import { CommandFault, loadClientSettings, readEnvironment } from '@darkroom-service/darkroom/kernel-cli';

const COUNTS = ['orders', 'unsuccessful', 'unknown', 'without_amount', 'differing', 'below_cost'] as const;
const AMOUNTS = ['revenue', 'expected', 'told', 'cost', 'margin', 'revenue_without_amount', 'unknown_cost'] as const;

/**
 * Sums the cost reports of cells. Only reads; reports nothing if a cell does not answer.
 * @param path file with an admin key of each cell, one per line, each with the address of its cell unless
 * `DARKROOM_URL` leads there
 * @throws CommandFault that names the line
 */
export async function costsOfCells(path: string, span: CostSpan): Promise<CostRowView[]> {
  const sums = new Map<string, CostRowView>();
  for (const { line, cell } of await readCells(path)) {
    const rows = await readRows(cell, span).catch((error: unknown) => {
      throw new CommandFault(`${path}, line ${line}: ${error instanceof Error ? error.message : String(error)}`);
    });
    for (const row of rows) {
      const name = row[span.group] ?? '';
      const before = sums.get(name);
      sums.set(name, before === undefined ? row : sumOf(before, row));
    }
  }
  return [...sums.keys()].sort().flatMap((name) => sums.get(name) ?? []);
}

async function readCells(path: string): Promise<{ readonly line: number; readonly cell: ApiClient }[]> {
  const { url } = loadClientSettings(readEnvironment());
  const lines = decodeText(await readFile(path), path)
    .split('\n')
    .map((text, index) => ({ text: text.trim(), line: index + 1 }));
  const cells = lines
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map(({ text, line }) => {
      const [apiKey = '', address = url] = text.split(/\s+/);
      const cell = createApiClient({ url: address.replace(/\/+$/, ''), apiKey });
      if (cell.mode !== 'admin' || !URL.canParse(address))
        throw new CommandFault(`${path}, line ${line}: expected an admin key, and after it an address or nothing`);
      return { line, cell };
    });
  if (cells.length === 0) throw new CommandFault(`${path}: expected an admin key of each cell, one a line`);
  return cells;
}

async function readRows(cell: ApiClient, { from, to, group }: CostSpan): Promise<CostRowView[]> {
  const rows: CostRowView[] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ from, to, group_by: group, ...(after === null ? {} : { after }) });
    const page: Wire<typeof CostReport> = await cell.get(`/admin/v1/costs?${query}`);
    rows.push(...page.items);
    after = page.next_after;
  } while (after !== null);
  return rows;
}

function sumOf(one: CostRowView, other: CostRowView): CostRowView {
  const counts = COUNTS.map((name) => [name, one[name] + other[name]]);
  const amounts = AMOUNTS.map((name) => [
    name,
    formatMicros((parseMicros(one[name]) ?? 0) + (parseMicros(other[name]) ?? 0)),
  ]);
  return { ...one, ...Object.fromEntries([...counts, ...amounts]) };
}
