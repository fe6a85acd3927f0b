import { creationOf as creationAmong, statementsOf } from '@darkroom-service/store';
import { INITIAL } from './initial.ts';

const CREATES = statementsOf(INITIAL);

/** The statements that create a table with its indexes. */
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
