import { type Addition, defineSettings, list } from '@darkroom-service/darkroom/kernel';
import { A1111_TABLES } from './chosen-model.ts';

/** Settings of the interface for apps of the A1111 web UI. */
export const A1111_SETTINGS = defineSettings({
  variables: {
    DARKROOM_DOORS: list(/^a1111$/, {
      expected: 'a1111, or nothing',
      description:
        'Interfaces at the root that are off unless they are named: `a1111` serves `/sdapi/v1` for [apps of the A1111 web UI](a1111.md).',
      default: '',
    }),
  },
  read: (values) => ({ isOpen: values.DARKROOM_DOORS.includes('a1111') }),
});

/** The interface for apps that know the A1111 web UI: its requests and answers, the keys and orders of the service. */
export const A1111: Addition = {
  name: 'a1111',
  settings: A1111_SETTINGS,
  tables: A1111_TABLES,
  hooks: { personalTables: [{ table: 'a1111_options', keyColumn: 'id' }] },
  pages: [{ name: 'a1111', title: 'A1111 apps', behind: 'openai' }],
  open: (_kernel, closers) => ({
    async http(kernel) {
      if (!kernel.settings.of(A1111_SETTINGS).isOpen) return {};
      const [{ a1111Routes }, { openCallRecords }] = await Promise.all([
        import('./a1111-routes.ts'),
        import('@darkroom-service/addition-openai/open-call-records'),
      ]);
      const records = await openCallRecords(kernel, closers);
      return {
        async mount(scope, { options, answers: { waits }, routes }) {
          const parts = { kernel, ...records, waits, maxBodyBytes: options.maxBodyBytes };
          await scope.register(a1111Routes(parts, options, routes), { prefix: '/sdapi/v1' });
        },
        doors: { '/sdapi/v1/': { password: true } },
      };
    },
  }),
};
