import { didYouMean, nearestName } from '@darkroom-service/contract';
import { type Addition, type Config, ConfigFault, DAILY_MS } from '@darkroom-service/darkroom/kernel';
import type { Catalog } from '@darkroom-service/darkroom/kernel-views';
import { CALL_TABLES } from './mapping/call-tables.ts';
import { removeKeyedCalls, removeOldCalls } from './mapping/erase-calls.ts';
import { OPENAI_SETTINGS } from './openai-settings.ts';

/** Ends of addresses of OpenAI's interface that the service has nowhere else, and its own base without the version. */
const MISPLACED =
  /(?:^\/openai(?:\/.*)?|\/(?:images\/(?:generations|edits|variations)|chat\/completions|completions|responses|embeddings))$/;

/** The OpenAI-compatible interface: OpenAI's shapes and errors, with the keys and orders of the service. */
export const OPENAI: Addition = {
  name: 'openai',
  settings: OPENAI_SETTINGS,
  tables: CALL_TABLES,
  hooks: {
    erased: (trx, { id }) => removeKeyedCalls(trx, [id]),
    forgotten: removeKeyedCalls,
    personalTables: [{ table: 'openai_calls', keyColumn: 'api_key_id', hidden: ['process'] }],
  },
  chores: ({ store, work }, signal) => [
    {
      name: 'calls of OpenAI clients',
      everyMs: DAILY_MS,
      run: () => store.erase({ unit: 'trim_calls', signal }, (trx) => removeOldCalls(trx, work.erasedBefore())),
    },
  ],
  pages: [{ name: 'openai', title: 'OpenAI clients', behind: 'cli', moved: { recipes: 'openai#applications' } }],
  findOpenWork: async (session, { now }) =>
    await (await import('./mapping/calls.ts')).findUnansweredCalls(session, now),
  checkSettings: checkAliases,
  open: (kernel, closers) => ({
    /** Follows ended processes; a process with the interface does that before it listens. */
    async start() {
      if (kernel.settings.role !== 'worker') return;
      await (await import('./follow-ended.ts')).followEndedProcesses(kernel, () => {}, closers);
    },
    async http(kernel) {
      const [{ openaiRoutes }, { OPENAI_DIALECT }, { openCallRecords }] = await Promise.all([
        import('./routes/openai-routes.ts'),
        import('./mapping/openai-dialect.ts'),
        import('./open-call-records.ts'),
      ]);
      const openai = kernel.settings.of(OPENAI_SETTINGS);
      const records = await openCallRecords(kernel, closers);
      return {
        async mount(scope, { options, answers: { waits }, routes }) {
          const { maxBodyBytes } = options;
          const parts = { kernel, openai, dialect: OPENAI_DIALECT, ...records, waits, maxBodyBytes };
          await scope.register(openaiRoutes(parts, options, routes), { prefix: '/openai/v1' });
        },
        doors: { '/openai/v1/': {} },
        hintFor: (path) =>
          MISPLACED.test(path) && !path.startsWith('/openai/v1/')
            ? 'The base URL of OpenAI clients ends with /openai/v1.'
            : null,
      };
    },
  }),
};

/**
 * Verifies that the operator's aliases lead to models of the catalog.
 * @throws ConfigFault with every alias that does not
 */
function checkAliases(config: Pick<Config, 'of'>, catalog: Catalog): void {
  const unknown = config.of(OPENAI_SETTINGS).aliases.filter(({ modelId }) => catalog.find(modelId) === null);
  if (unknown.length === 0) return;
  const known = catalog.models.map((model) => model.model_id);
  throw new ConfigFault(
    unknown.map(({ name, modelId }) => ({
      variable: 'DARKROOM_OPENAI_MOUNT_ALIASES',
      message: `${name} leads to ${modelId}, which is no model of the catalog.${didYouMean(nearestName(modelId, known))}`,
    })),
  );
}
