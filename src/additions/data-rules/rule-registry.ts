import type { DataRuleBody } from '@darkroom-service/contract/schemas';
import type { InstanceParts } from '../../kernel.ts';

/** The rules of accounts and keys, as last read. */
interface RuleRegistry {
  /** Returns the rules that the orders of a key must fit; none for most keys. */
  of(accountId: string, keyId: string): readonly DataRuleBody[];
  /** Reads the rules at once, after a change made in this process. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Subject of the rule of a whole account. */
export const ACCOUNT = 'account';
const REFRESH_MS = 1_000;
const NONE: readonly DataRuleBody[] = [];

/** Reads the rules now and every second, so that a change applies in all processes within a second. */
export async function openRuleRegistry({
  database: { read },
  startRefresh,
}: Pick<InstanceParts, 'database' | 'startRefresh'>): Promise<RuleRegistry> {
  let bySubject = new Map<string, DataRuleBody>();
  const refresh = await startRefresh('data_rules', REFRESH_MS, async () => {
    const rows = await read.all(read.builder.selectFrom('data_rules').select(['account_id', 'subject', 'rule_json']));
    bySubject = new Map(
      rows.map(({ account_id, subject, rule_json }) => [
        nameOf(account_id, subject),
        JSON.parse(rule_json) as DataRuleBody,
      ]),
    );
  });
  return {
    of(accountId, keyId) {
      if (bySubject.size === 0) return NONE;
      return [ACCOUNT, keyId].flatMap((subject) => bySubject.get(nameOf(accountId, subject)) ?? []);
    },
    refresh: refresh.now,
    stop: refresh.stop,
  };
}

function nameOf(accountId: string, subject: string): string {
  return `${accountId}/${subject}`;
}
