import { world } from '@darkroom-service/contract';
import type { Addition } from '@darkroom-service/darkroom/kernel';
import { whenRun, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Fixed } from '@darkroom-service/store';
import { Argument, type Command } from 'commander';
import { MARK_SETTINGS, PROVENANCE_SETTINGS, type ProvenanceSetting } from './provenance-settings.ts';
import { readIdentity } from './signing-identity.ts';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    account_provenance: AccountProvenanceTable;
  }
}

/** Marks of an account's outputs, if they differ from the service's setting. */
interface AccountProvenanceTable {
  account_id: Fixed<string>;
  /** Choice of the account. Null: as the service's setting says. */
  setting: ProvenanceSetting | null;
  /** Whether the prompt is written too (1 = yes). */
  writes_prompt: number;
}

const PROVENANCE_TABLES = `
create table account_provenance (
  account_id text not null, setting text, writes_prompt bigint not null,
  constraint account_provenance_pk primary key (account_id)
);
`;

/** Marks outputs as made by a machine. */
export const PROVENANCE: Addition = {
  name: 'provenance',
  settings: MARK_SETTINGS,
  tables: PROVENANCE_TABLES,
  hooks: { personalTables: [{ table: 'account_provenance', accountColumn: 'account_id' }] },
  checkSettings: (config) => void readIdentity(config.of(MARK_SETTINGS), world.now()),
  commands: addProvenanceCommand,
  checks: [
    {
      name: 'provenance',
      run: async (question) => (await import('./diagnose-provenance.ts')).diagnoseProvenance(question),
    },
  ],
  open: (kernel) => ({
    judge: async () => ({ changeOutput: await (await import('./mark-outputs.ts')).openProvenance(kernel) }),
    async http(kernel) {
      const [{ provenanceRoutes }, { PROVENANCE_OPERATIONS }, { AccountProvenance }] = await Promise.all([
        import('./provenance-routes.ts'),
        import('./provenance-operations.ts'),
        import('./provenance-wire.ts'),
      ]);
      return {
        admin: (admin) => provenanceRoutes(admin, kernel),
        operations: PROVENANCE_OPERATIONS,
        components: [AccountProvenance],
      };
    },
  }),
};

/** Adds `darkroom accounts provenance`. It works directly on the database, also while the service is running. */
function addProvenanceCommand(program: Command): void {
  const accounts = program.commands.find((other) => other.name() === 'accounts');
  if (accounts === undefined) return;
  const setting = new Argument('[setting]', "'default' = the service's own setting; without one it is only shown");
  withOutput(accounts.command('provenance').description("set how an account's outputs say that a machine made them"))
    .argument('<account>')
    .addArgument(setting.choices([...PROVENANCE_SETTINGS, 'default']))
    .option('--prompt', 'the mark also contains the prompt')
    .action(whenRun(async () => (await import('./set-account-provenance.ts')).setAccountProvenance));
}
