import { creationOf as creationAmong, type Migration, statementsOf } from '@darkroom-service/store';
import { INITIAL } from './initial.ts';

const CREATES = statementsOf(INITIAL);

/** The statements that create a table with its indexes and fill it from tables that exist. */
export function creationOf(table: string): readonly string[] {
  return creationAmong(table, CREATES);
}

/** The columns of a table, in its order. */
export function columnsOf(table: string): string[] {
  const [create = ''] = creationOf(table);
  return [...create.matchAll(/[(,]\s*(\w+) (?:text|bigint|double precision)\b/g)].map(([, name = '']) => name);
}

/**
 * Makes a table anew as the initial schema has it.
 * @param values what its columns become, where not their old value
 * @param rest what follows the table in the select
 */
export function rebuild(table: string, values: Readonly<Record<string, string>>, rest = ''): string[] {
  const [create = '', ...indexes] = creationOf(table);
  const columns = columnsOf(table);
  const selected = columns.map((name) => (values[name] === undefined ? name : `${values[name]} as ${name}`));
  return [
    `create table rebuilt as select ${selected.join(', ')} from ${table} ${rest}`,
    `drop table ${table}`,
    create,
    `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from rebuilt`,
    'drop table rebuilt',
    ...indexes,
  ];
}

/** Figures of the cost report that later steps add. */
export const LATER_FIGURES: Readonly<Record<string, string>> = { revenue_without_amount: '0', unknown_cost: '0' };

/** Makes a table of day sums anew without its mark of archived tasks: adds up their sums and those of others. */
export function withoutArchived(table: string, key: readonly string[]): string[] {
  const summed = columnsOf(table).filter((name) => !key.includes(name));
  const values = Object.fromEntries(
    summed.map((name) => [name, LATER_FIGURES[name] ?? `cast(sum(${name}) as bigint)`]),
  );
  return rebuild(table, values, `group by ${key.join(', ')}`);
}

/** Returns the step that changes tables. @param changes each follows `alter table` */
export function altering(version: number, name: string, changes: readonly string[]): Migration {
  return { version, name, statements: () => changes.map((change) => `alter table ${change}`) };
}

/** Returns the step that creates a table as the initial schema has it. */
export function creating(version: number, name: string, table: string): Migration {
  return { version, name, statements: () => creationOf(table) };
}
