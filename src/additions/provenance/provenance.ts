import type { Addition } from '../../service/addition.ts';
import { addProvenanceCommand } from './provenance-command.ts';
import { PROVENANCE_TABLES } from './provenance-tables.ts';
import { readIdentity } from './signing-identity.ts';

/** Marks outputs as made by a machine. */
export const PROVENANCE: Addition = {
  name: 'provenance',
  tables: PROVENANCE_TABLES,
  hooks: { personalTables: [{ table: 'account_provenance', accountColumn: 'account_id' }] },
  checkSettings: ({ provenance }) => void readIdentity(provenance, Date.now()),
  commands: addProvenanceCommand,
  changeOutputs: async (working, closers) => (await import('./mark-outputs.ts')).openProvenance(working, closers),
  diagnose: async (config, question) => (await import('./diagnose-provenance.ts')).diagnoseProvenance(config, question),
  async http({ config: { provenance } }) {
    const [{ provenanceRoutes }, { PROVENANCE_OPERATIONS }, { AccountProvenance }] = await Promise.all([
      import('./provenance-routes.ts'),
      import('./provenance-operations.ts'),
      import('./provenance-wire.ts'),
    ]);
    return {
      admin: provenanceRoutes(provenance),
      operations: PROVENANCE_OPERATIONS,
      components: [AccountProvenance],
    };
  },
};
