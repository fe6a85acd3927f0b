import type { Micros } from '@darkroom-service/contract';

/**
 * The operator's settings of one account at an upstream, or of one pool of servers. Several instances may have one
 * kind.
 */
export interface EngineInstance {
  /** The engine that catalog routes name, such as `fal`. */
  readonly kind: string;
  /** The share of orders under the policy `weighted`; 0 = only if no other can take the order. */
  readonly weight: number;
  /** Maximum number of orders submitted per minute, over all processes; null = no limit. */
  readonly submissionsPerMinute: number | null;
  readonly spendLimits: { readonly day: Micros | null; readonly month: Micros | null };
  /** Accounts whose orders go to no other instance of this kind. */
  readonly pinnedAccounts: readonly string[];
  /** Accounts whose orders never go to this instance; `*` = all accounts that are not pinned to it. */
  readonly excludedAccounts: readonly string[];
}

export const DEFAULT_INSTANCE: Omit<EngineInstance, 'kind'> = {
  weight: 1,
  submissionsPerMinute: null,
  spendLimits: { day: null, month: null },
  pinnedAccounts: [],
  excludedAccounts: [],
};

/** Returns the name by which catalog routes name the engine. */
export function kindOf({ name, instance }: { readonly name: string; readonly instance?: EngineInstance }): string {
  return instance?.kind ?? name;
}
