import { ServiceError } from '@darkroom-service/contract';
import { adminSchema, DataRule, type DataRuleBody, DataRuleList, success } from '@darkroom-service/contract/schemas';
import { type ServingKernel, Type } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { ACCOUNT } from './rule-registry.ts';
import { listDataRules, removeDataRule, setDataRule } from './stored-rules.ts';

const path = '/admin/v1/accounts/:account_id/data_rules';
const params = Type.Object({ account_id: Type.String({ maxLength: 64 }) });
const schema = { ...adminSchema(DataRuleList), params };
type OneAccount = { Params: { account_id: string } };

/** Serves the rules of each account about its data to operators, who set that of the whole account. */
export function adminDataRuleRoutes(admin: App, kernel: ServingKernel): void {
  const { http, models, store } = kernel;

  admin.get<OneAccount>(path, { schema }, async (request) =>
    success({ items: await rulesOf(request.params.account_id) }),
  );

  admin.put<OneAccount & { Body: DataRuleBody }>(path, { schema: { ...schema, body: DataRule } }, async (request) => {
    const owner = { accountId: request.params.account_id, subject: ACCOUNT };
    const before = await rulesOf(owner.accountId);
    const hasRule = before.some(({ subject }) => subject === ACCOUNT);
    if (Object.keys(request.body).length > 0) await setDataRule(kernel, http.by(request), owner, request.body);
    else if (hasRule) await removeDataRule(kernel, http.by(request), owner);
    await models.applyRules();
    return success({ items: await rulesOf(owner.accountId) });
  });

  /** @throws ServiceError `not_found` */
  async function rulesOf(accountId: string) {
    const select = store.read.builder.selectFrom('accounts').select('id').where('id', '=', accountId);
    if ((await store.read.first(select)) === undefined)
      throw new ServiceError('not_found', `There is no account '${accountId}'.`, { param: 'account_id' });
    return await listDataRules(store.read, accountId);
  }
}
