import { parseMicros } from '@darkroom-service/contract/money';
import { type RawBuilder, sql } from 'kysely';

/**
 * Finds orders by what an operator knows of them, whether in upper or lower case: a part of a name, of the model or of
 * another text, or a whole id or price. Expects `accounts` and `api_keys` beside the orders.
 */
export function searchOf(orders: 'tasks' | 'newest', text: string, texts: readonly string[]): RawBuilder<boolean> {
  const wanted = text.trim().toLowerCase();
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  const parts = ['accounts.name', 'api_keys.name', `${orders}.model_id`, `${orders}.queue`, ...texts];
  const ids = [`${orders}.id`, `${orders}.account_id`, `${orders}.api_key_id`];
  const price = parseMicros(wanted);
  const conditions = [
    ...parts.map((name) => sql`lower(${sql.ref(name)}) like ${pattern} escape '\\'`),
    ...ids.map((name) => sql`lower(${sql.ref(name)}) = ${wanted}`),
    ...(price === null ? [] : [sql`${sql.ref(`${orders}.price`)} = ${price}`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
