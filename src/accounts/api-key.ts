/** A key as the rest of the service sees it: who calls, what it may do, and whose money it spends. Frozen for the length of a request. */
export interface ApiKey {
  readonly id: string;
  readonly mode: 'live' | 'test' | 'admin';
  readonly name: string;
  readonly expiresAt: number | null;
  /** Glob patterns; empty = every model. */
  readonly models: readonly string[];
  /** 0 = no limit, in all four. */
  readonly createsPerMinute: number;
  readonly readsPerMinute: number;
  readonly concurrency: number;
  readonly queueLimit: number;
  /** Micro-dollars per UTC day, per UTC month and in all; null = no limit. */
  readonly spendLimits: { readonly day: number | null; readonly month: number | null; readonly total: number | null };
  /** Whether it may see what the whole account spends. */
  readonly accountView: boolean;
  readonly account: Account;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  /** How far below zero the live balance may go, in micro-dollars; null = pays later, no limit. */
  readonly creditLimit: number | null;
  /** The first rule whose pattern matches a model decides its price multiplier. */
  readonly priceRules: readonly { readonly models: string; readonly multiplier: string }[];
  /** Glob patterns of models that the account does not see. */
  readonly hiddenModels: readonly string[];
  /** Where the ends of tasks are told that name no address of their own; null = nowhere. */
  readonly webhookUrl: string | null;
}

/** A key that orders and reads tasks: what every call under `/v1` is made with. */
export type OrderingKey = ApiKey & { readonly mode: 'live' | 'test' };

/** What the account pays for a model, as a multiplier of the catalog's price: a decimal such as `"0.9"`. */
export function priceMultiplier(account: Account, modelId: string): string {
  return account.priceRules.find((rule) => matchesGlob(rule.models, modelId))?.multiplier ?? '1';
}

/** Whether the key may order the model, and the account sees it. */
export function mayOrder(key: ApiKey, modelId: string): boolean {
  return key.models.length === 0 || key.models.some((pattern) => matchesGlob(pattern, modelId));
}

export function isHidden(account: Account, modelId: string): boolean {
  return account.hiddenModels.some((pattern) => matchesGlob(pattern, modelId));
}

/** `*` stands for any run of characters, `?` for one; everything else for itself. A star only ever grows, so that no pattern takes long. */
function matchesGlob(pattern: string, text: string): boolean {
  let place = 0;
  let at = 0;
  let star: { readonly place: number; at: number } | null = null;
  while (at < text.length) {
    if (pattern[place] === '*') star = { place: place++, at };
    else if (pattern[place] === '?' || pattern[place] === text[at]) {
      place++;
      at++;
    } else if (star === null) return false;
    else {
      place = star.place + 1;
      at = ++star.at;
    }
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
