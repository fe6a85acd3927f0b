import { parseMicros } from '@darkroom-service/contract';
import { type RawBuilder, sql } from 'kysely';

/** The texts that a search reads besides names, ids, the model, the queue and the price. */
export interface SearchedTexts {
  /** Columns that are searched, such as `task_checks.said`. */
  readonly texts: readonly string[];
  /** Whether the caller may read prompts: only then may it find orders by their words. */
  readonly prompts: boolean;
}

/**
 * Finds orders by what an operator knows of them, whether in upper or lower case: each word is a part of a name, of the
 * model or of another text, or a whole id or price. Expects `accounts` and `api_keys` beside the orders.
 */
export function searchOf(orders: 'tasks' | 'newest', text: string, searched: SearchedTexts): RawBuilder<boolean> {
  const words = text.trim().toLowerCase().split(/\s+/u);
  return sql<boolean>`(${sql.join(
    words.map((word) => wordIn(orders, word, searched)),
    sql` and `,
  )})`;
}

function wordIn(orders: 'tasks' | 'newest', wanted: string, { texts, prompts }: SearchedTexts): RawBuilder<boolean> {
  const parts = ['accounts.name', 'api_keys.name', `${orders}.model_id`, ...texts];
  const ids = [`${orders}.id`, `${orders}.account_id`, `${orders}.api_key_id`];
  const price = parseMicros(wanted);
  const contains = (name: string, pattern: string) => sql`lower(${sql.ref(name)}) like ${pattern} escape '\\'`;
  const pattern = `%${escapePattern(wanted)}%`;
  const conditions = [
    ...parts.map((name) => contains(name, pattern)),
    ...(prompts ? [contains(`${orders}.input_json`, `%"prompt":"${pattern}`)] : []),
    ...ids.map((name) => sql`lower(${sql.ref(name)}) = ${wanted}`),
    ...(price === null ? [] : [sql`${sql.ref(`${orders}.price`)} = ${price}`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Escapes the characters that `like … escape '\'` reads as patterns. */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
