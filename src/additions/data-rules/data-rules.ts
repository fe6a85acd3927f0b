import {
  DataReceiver,
  DataReceiverList,
  DataRule,
  DataRuleList,
  DataRuleRemoval,
  StoredDataRule,
} from '@darkroom-service/contract/schemas';
import type { Addition, Session } from '../../kernel.ts';
import { DATA_RULE_TABLES } from './rule-tables.ts';

/**
 * Rules about the upstreams that may get an order: by name, by the countries where they process data, by how long they
 * keep it and whether they train on it.
 */
export const DATA_RULES: Addition = {
  name: 'data-rules',
  tables: DATA_RULE_TABLES,
  hooks: { personalTables: [{ table: 'data_rules', accountColumn: 'account_id' }] },
  fields: {
    data: {
      type: 'object',
      properties: DataRule.properties,
      additionalProperties: false,
      description:
        'Which upstreams may get the order, together with the rules of its key, account and client token. An upstream of which a fact is unknown does not fit a rule about it.',
    },
  },
  findOpenWork: findRules,
  async routes(parts, closers) {
    const { openFilter } = await import('./open-filter.ts');
    return await openFilter(parts, closers);
  },
  open: () => ({
    async http(kernel) {
      const [{ dataRuleRoutes }, { adminDataRuleRoutes }, { DATA_RULE_OPERATIONS }] = await Promise.all([
        import('./rule-routes.ts'),
        import('./admin-rule-routes.ts'),
        import('./rule-operations.ts'),
      ]);
      return {
        v1: (v1) => dataRuleRoutes(v1, kernel),
        admin: (admin) => adminDataRuleRoutes(admin, kernel),
        operations: DATA_RULE_OPERATIONS,
        components: [StoredDataRule, DataRuleList, DataRuleRemoval, DataReceiver, DataReceiverList],
      };
    },
  }),
};

/** Finds a rule in force: without the addition, orders would go to upstreams that it excludes, or fail. */
async function findRules(session: Session): Promise<string | null> {
  const inForce = await session.first(session.builder.selectFrom('data_rules').select('account_id').limit(1));
  if (inForce !== undefined)
    return `the account '${inForce.account_id}' has rules about its data. Remove the rules of all accounts first.`;
  const open = await session.first(
    session.builder
      .selectFrom('tasks')
      .select('id')
      .where('step', '!=', 'final')
      .where('route_json', 'like', '%"rule":{%')
      .limit(1),
  );
  return open === undefined ? null : `the open order '${open.id}' has a rule about its data.`;
}
