import { type Addition, defineSettings, oneOf } from '@darkroom-service/darkroom/kernel';
import { whenRun, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Fixed } from '@darkroom-service/store';
import type { Command } from 'commander';
import { ORIGIN_FOLLOWER, ORIGIN_HOOKS } from './output-hashes.ts';

/** Settings of the origins: the callers that may learn that this service made a file. */
const ORIGIN_SETTINGS = defineSettings({
  variables: {
    DARKROOM_PROVENANCE_LOOKUP: oneOf(
      ['owner', 'public'],
      'Who learns from `/v1/provenance` that this service made a file: `owner`: its account. `public`: everybody learns that and when, without a key.',
      'owner',
    ),
  },
  read: ({ DARKROOM_PROVENANCE_LOOKUP: lookup }) => lookup,
});

declare module '../../../src/database/schema.ts' {
  interface Schema {
    output_hashes: OutputHashesTable;
  }
}

/** Outputs of all tasks that are not erased, to be found by their hash. */
interface OutputHashesTable {
  sha256: Fixed<string>;
  /**
   * Account of the task; before the task in the primary key, so that a query for hashes of other accounts reads no row
   * of theirs.
   */
  account_id: Fixed<string>;
  task_id: Fixed<string>;
}

const ORIGIN_TABLES = `
create table output_hashes (
  sha256 text not null, account_id text not null, task_id text not null,
  constraint output_hashes_pk primary key (sha256, account_id, task_id)
);
`;

/** Finds the task of a file by its hash. */
export const ORIGINS: Addition = {
  name: 'origins',
  settings: ORIGIN_SETTINGS,
  tables: ORIGIN_TABLES,
  hooks: ORIGIN_HOOKS,
  follower: ORIGIN_FOLLOWER,
  commands: addWhenceCommand,
  open: () => ({
    async http(kernel) {
      const [{ originRoutes }, { ORIGIN_OPERATIONS }, { Origin }] = await Promise.all([
        import('./origin-routes.ts'),
        import('./origin-operations.ts'),
        import('./origin-wire.ts'),
      ]);
      return {
        ...originRoutes(kernel, kernel.settings.of(ORIGIN_SETTINGS)),
        operations: ORIGIN_OPERATIONS,
        section: ['Origins', 'Which task made a file.'],
        components: [Origin],
      };
    },
  }),
};

/** Adds `darkroom whence`. It hashes the file here and asks a running service. */
function addWhenceCommand(program: Command): void {
  withOutput(program.command('whence').description('find the task that made a file'), 'the id of the task')
    .argument('<file>', 'an image or a video as it was downloaded; - for standard input')
    .action(whenRun(async () => (await import('./show-whence.ts')).showWhence));
}
