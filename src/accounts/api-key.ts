import { matchesGlob, type SpendLimits } from '@darkroom-service/contract';
import type { Grant } from './grant.ts';

/** The API key of a request: the caller, its permissions and its account. Does not change during a request. */
export interface ApiKey {
  readonly id: string;
  readonly mode: 'live' | 'test' | 'admin';
  readonly name: string;
  readonly expiresAt: number | null;
  /** Glob patterns; empty = every model. */
  readonly models: readonly string[];
  /** Creates per minute; 0 = no limit, as for the other limits of the key. */
  readonly createsPerMinute: number;
  readonly readsPerMinute: number;
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Micro-dollars per day, per month and in total; null = no limit. */
  readonly spendLimits: SpendLimits;
  /** The limits of each end user who has no own limits. */
  readonly endUserLimits: SpendLimits;
  /** The time zone of the days and months of these limits: an IANA name, or UTC. */
  readonly timezone: string;
  /** Whether any end user of the key has limits of its own. */
  readonly limitsEndUsers: boolean;
  /** Whether it may see the spending of the whole account. */
  readonly accountView: boolean;
  /** Micro-dollars above which a person must agree to an order through MCP; null = the operator's setting. */
  readonly approveOver: number | null;
  readonly account: Account;
  /** Set if the request carries a client token instead of the key: the caller is one end user of the key. */
  readonly client?: Grant;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  /** Micro-dollars by which the live balance may fall below zero; null = invoiced account without a limit. */
  readonly creditLimit: number | null;
  /** The first rule whose pattern matches a model determines its price multiplier. */
  readonly priceRules: readonly { readonly models: string; readonly multiplier: string }[];
  /** Glob patterns of models that are hidden from the account. */
  readonly hiddenModels: readonly string[];
  /** Default webhook URL for the key's mode; null = none. */
  readonly webhookUrl: string | null;
  /** The default target of outputs, as tasks store it; null = none. */
  readonly deliverTo: string | null;
}

/** A key that orders and reads tasks, as used by every call under `/v1`. */
export type OrderingKey = ApiKey & { readonly mode: 'live' | 'test' };

/** Returns the account's multiplier of a model's catalog price: a decimal such as `"0.9"`. */
export function priceMultiplier(account: Account, modelId: string): string {
  return account.priceRules.find((rule) => matchesGlob(rule.models, modelId))?.multiplier ?? '1';
}

/** Tells whether the key may order the model and the account can see it. */
export function mayOrder(key: ApiKey, modelId: string): boolean {
  return matchesOne(key.models, modelId) && (key.client === undefined || matchesOne(key.client.models, modelId));
}

function matchesOne(patterns: readonly string[], modelId: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesGlob(pattern, modelId));
}

/** Tells whether the account's patterns hide a model from its customers. */
export function isHidden(account: Account, modelId: string): boolean {
  return account.hiddenModels.some((pattern) => matchesGlob(pattern, modelId));
}
