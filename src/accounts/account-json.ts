import type { Selectable } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Account } from './api-key.ts';

/** Reads the JSON columns of accounts and API keys. Only this service writes them. */
type AccountRow = Selectable<Schema['accounts']>;
type KeyRow = Selectable<Schema['api_keys']>;

export function priceRulesOf(row: Pick<AccountRow, 'price_rules_json'>): Account['priceRules'] {
  return JSON.parse(row.price_rules_json) as Account['priceRules'];
}

/** Returns glob patterns of the models that are hidden from the account. */
export function hiddenModelsOf(row: Pick<AccountRow, 'hidden_models_json'>): string[] {
  return JSON.parse(row.hidden_models_json) as string[];
}

/** Returns glob patterns of the models that the key may order; empty = all. */
export function modelsOf(row: Pick<KeyRow, 'models_json'>): string[] {
  return JSON.parse(row.models_json) as string[];
}
