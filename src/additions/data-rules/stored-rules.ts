import { isoTime, ServiceError } from '@darkroom-service/contract';
import type { DataRuleBody, StoredDataRuleView } from '@darkroom-service/contract/schemas';
import { type Act, actorOf, type Kernel, type Session } from '../../kernel.ts';

/** Names what a rule limits: an account, or one of its keys. */
export interface RuleOwner {
  readonly accountId: string;
  /** `account`, or the id of a key. */
  readonly subject: string;
}

type Parts = Pick<Kernel, 'accounts' | 'store'>;

/** Lists the rules of an account and of its keys; that of the account comes first. */
export async function listDataRules(session: Session, accountId: string): Promise<StoredDataRuleView[]> {
  const rows = await session.all(
    session.builder.selectFrom('data_rules').selectAll().where('account_id', '=', accountId).orderBy('subject'),
  );
  return rows.map(({ subject, rule_json, set_by, set_at }) => ({
    subject,
    data: JSON.parse(rule_json) as DataRuleBody,
    set_by,
    set_at: isoTime(set_at),
  }));
}

/** Sets the rule of an account or a key in place of the one before. */
export async function setDataRule(
  { accounts, store }: Parts,
  by: Act,
  { accountId, subject }: RuleOwner,
  rule: DataRuleBody,
): Promise<void> {
  const set = { rule_json: JSON.stringify(rule), set_by: actorOf(by).id, set_at: by.now };
  await store.write('set_data_rule', async (trx) => {
    await trx.run(
      trx.builder
        .insertInto('data_rules')
        .values({ account_id: accountId, subject, ...set })
        .onConflict((conflict) => conflict.columns(['account_id', 'subject']).doUpdateSet(set)),
    );
    await accounts.record(trx, by, { act: 'data_rule.set', target: accountId, detail: { subject, data: rule } });
  });
}

/** Removes the rule of an account or a key. @throws ServiceError `not_found` */
export async function removeDataRule(
  { accounts, store }: Parts,
  by: Act,
  { accountId, subject }: RuleOwner,
): Promise<void> {
  await store.write('remove_data_rule', async (trx) => {
    const removed = await trx.first(
      trx.builder
        .deleteFrom('data_rules')
        .where('account_id', '=', accountId)
        .where('subject', '=', subject)
        .returning('subject'),
    );
    if (removed === undefined)
      throw new ServiceError('not_found', `There is no rule for '${subject}'.`, { param: 'subject' });
    await accounts.record(trx, by, { act: 'data_rule.remove', target: accountId, detail: { subject } });
  });
}
