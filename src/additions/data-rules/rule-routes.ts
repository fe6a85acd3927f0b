import { cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  DataReceiverList,
  type DataReceiverView,
  DataRule,
  type DataRuleBody,
  DataRuleList,
  DataRuleRemoval,
  ErrorAnswer,
  envelopeOf,
  success,
} from '@darkroom-service/contract/schemas';
import { type OrderingKey, type ServingKernel, Type } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { ACCOUNT } from './rule-registry.ts';
import { listDataRules, type RuleOwner, removeDataRule, setDataRule } from './stored-rules.ts';

const tags = ['Account'];
const path = '/v1/account/data_rules';
const params = Type.Object({ subject: Type.String({ maxLength: 64 }) });
type OneRule = { Params: { subject: string } };

/** Serves the rules of an account about its data, and what is known of the upstreams of a model. */
export function dataRuleRoutes(v1: App, kernel: ServingKernel): void {
  const { accounts, clock, http, models, store } = kernel;

  v1.get<{ Params: { model_id: string } }>(
    '/v1/models/:model_id/data',
    {
      schema: {
        tags: ['Models'],
        params: Type.Object({ model_id: Type.String({ maxLength: 64 }) }),
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(DataReceiverList)), ...ErrorAnswer },
      },
    },
    async (request) => {
      const upstreams = models.upstreams(http.caller(request), request.params.model_id);
      const items = upstreams.map(({ known, excluded }) => ({ ...known, excluded }) as DataReceiverView);
      return success({ items });
    },
  );

  v1.get(
    path,
    {
      schema: {
        tags,
        querystring: closedObject({}),
        response: { 200: envelopeOf(refTo(DataRuleList)), ...ErrorAnswer },
      },
    },
    async (request) => success({ items: await listDataRules(store.read, http.caller(request).account.id) }),
  );

  v1.put<OneRule & { Body: DataRuleBody }>(
    `${path}/:subject`,
    { schema: { tags, params, body: DataRule, response: { 200: envelopeOf(refTo(DataRuleList)), ...ErrorAnswer } } },
    async (request) => {
      const owner = await ownerOf(http.caller(request), request.params.subject);
      await setDataRule(kernel, http.by(request), owner, request.body);
      await models.applyRules();
      return success({ items: await listDataRules(store.read, owner.accountId) });
    },
  );

  v1.delete<OneRule>(
    `${path}/:subject`,
    { schema: { tags, params, response: { 200: envelopeOf(refTo(DataRuleRemoval)), ...ErrorAnswer } } },
    async (request) => {
      const owner = await ownerOf(http.caller(request), request.params.subject);
      await removeDataRule(kernel, http.by(request), owner);
      await models.applyRules();
      return success({ subject: owner.subject, removed_at: isoTime(clock.now()) });
    },
  );

  /** @throws ServiceError `forbidden`, or `not_found` if the subject is no key of the account */
  async function ownerOf(caller: OrderingKey, subject: string): Promise<RuleOwner> {
    if (caller.mode !== 'live' || !caller.accountView) {
      const missing = caller.mode === 'live' ? 'a key made with --account-view' : 'a live key';
      throw new ServiceError('forbidden', `The rules of an account can be changed only with ${missing}.`);
    }
    const accountId = caller.account.id;
    if (subject === ACCOUNT) return { accountId, subject };
    const key = await accounts.key(subject);
    if (key?.account.id === accountId) return { accountId, subject };
    throw new ServiceError('not_found', `The account has no key '${cutText(subject, 64)}'.`, { param: 'subject' });
  }
}
