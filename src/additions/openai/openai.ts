import { timeIdPrefix } from '@darkroom-service/contract/ids';
import type { Addition } from '../../service/addition.ts';
import { checkAliases } from './check-aliases.ts';
import { CALL_TABLES } from './mapping/call-tables.ts';

/** The OpenAI-compatible interface: OpenAI's shapes and errors, with the keys and orders of the service. */
export const OPENAI: Addition = {
  name: 'openai',
  tables: CALL_TABLES,
  hooks: {
    /** A call with an Idempotency-Key stays as long as the key. */
    async tidied(trx, before) {
      const old = trx.builder
        .selectFrom('openai_calls')
        .select('id')
        .where('id', '<', timeIdPrefix('call', before))
        .where('digest', 'is not', null)
        .limit(1_000);
      return await trx.run(trx.builder.deleteFrom('openai_calls').where('id', 'in', old));
    },
  },
  pages: [{ name: 'openai', title: 'OpenAI clients', behind: 'cli' }],
  movedPages: { recipes: 'openai#applications' },
  findOpenWork: async (session, now) => await (await import('./mapping/calls.ts')).findUnansweredCalls(session, now),
  checkSettings: checkAliases,
  async http({ config: { openai } }) {
    const { openaiRoutes } = await import('./routes/openai-routes.ts');
    return {
      async mount(scope, { options, answers, routes }) {
        await scope.register(openaiRoutes({ ...options, openai, placing: new Map() }, answers, routes), {
          prefix: '/openai/v1',
        });
      },
      clientPaths: ['/openai/v1/'],
    };
  },
};
