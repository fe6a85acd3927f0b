import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseHosts, serverOf } from '@darkroom-service/store';
import { type CopyProgress, type CopyReport, copyDatabase } from '../database/copy-database.ts';
import type { Database } from '../database/database.ts';
import { openUnchecked } from '../database/open-database.ts';
import { CommandFault, usageFault } from './command-fault.ts';
import { type OutputOptions, show, table } from './output.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';

interface MigrateOptions extends OutputOptions {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies all rows from one database to the other and compares them.
 * @param added statements that create the tables of additions
 */
export async function moveDatabase(options: MigrateOptions, added: readonly string[]): Promise<void> {
  const [from, to] = [readAddress('--from', options.from), readAddress('--to', options.to)];
  if (from.opens === to.opens) throw usageFault('--from and --to name the same database.');
  if (from.kind === 'sqlite' && !existsSync(from.opens))
    throw new CommandFault(`There is no database at ${from.opens}.`);
  const bar = createProgressBar(!options.json);
  const report = await move(from, to, { added, bar }).finally(() => bar.clear());
  show(options, { json: { from: from.shown, to: to.shown, ...summary(report) }, text: describe(report, to) });
}

interface Address {
  readonly kind: Database['kind'];
  /** The path or URL to open. */
  readonly opens: string;
  /** The same without user and password. */
  readonly shown: string;
}

function readAddress(option: string, text: string): Address {
  if (text.startsWith('sqlite:')) {
    const path = resolve(text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''));
    return { kind: 'sqlite', opens: path, shown: `sqlite:${path}` };
  }
  if (parseHosts(text) === null)
    throw usageFault(`${option}: expected sqlite:<path> or postgres://user:password@host/database`);
  return { kind: 'postgres', opens: text, shown: `postgres://${serverOf(text)}` };
}

async function open(address: Address, added: readonly string[]): Promise<Database> {
  const { kind, opens } = address;
  return await openUnchecked({ url: kind === 'sqlite' ? null : opens, path: opens, added });
}

async function move(
  from: Address,
  to: Address,
  { added, bar }: { readonly added: readonly string[]; readonly bar: ProgressBar },
): Promise<CopyReport> {
  const source = await open(from, added);
  try {
    const target = await open(to, added);
    try {
      const draw = ({ table: name, rows, totalRows }: CopyProgress) =>
        bar.draw((99 * rows) / Math.max(1, totalRows), rows < totalRows ? `${rows} rows, ${name}` : `checking ${name}`);
      return await copyDatabase(source, target, draw, added);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function summary({ tables, wasAlreadyCopied }: CopyReport) {
  return { already_there: wasAlreadyCopied, rows: totalOf(tables), tables };
}

function describe({ tables, wasAlreadyCopied }: CopyReport, to: Address): string {
  const done = wasAlreadyCopied
    ? 'were copied before and are equal on both sides'
    : 'were copied and are equal on both sides';
  const next =
    to.kind === 'postgres'
      ? 'Set DARKROOM_DATABASE_URL to the new database and start the service.'
      : 'Unset DARKROOM_DATABASE_URL, set DARKROOM_DATA_DIR to the directory of the new database and start the service.';
  return [
    table(
      ['table', 'rows', 'sha256'],
      tables.map(({ table: name, rows, sha256 }) => [name, rows, sha256.slice(0, 16)]),
    ),
    '',
    `All ${totalOf(tables)} rows ${done}. Files stay where they are.`,
    next,
  ].join('\n');
}

function totalOf(tables: CopyReport['tables']): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
