import type { Addition } from '../../service/addition.ts';
import { EXAMPLE_TABLES } from './example-tables.ts';

/** The operator's own orders that are shown as examples of their models. */
export const EXAMPLES: Addition = {
  name: 'examples',
  tables: EXAMPLE_TABLES,
  hooks: {
    personalTables: [{ table: 'model_examples', accountColumn: 'account_id', hidden: ['picture'] }],
    // An order that only grew old stays an example.
    erased: async (trx, { id, isDeleted }) =>
      isDeleted && (await trx.run(trx.builder.deleteFrom('model_examples').where('task_id', '=', id))),
  },
  async http() {
    const [{ adminExampleRoutes, examplePictures, exampleRoutes }, { EXAMPLE_OPERATIONS }, wire] = await Promise.all([
      import('./example-routes.ts'),
      import('./example-operations.ts'),
      import('./example-wire.ts'),
    ]);
    return {
      open: examplePictures,
      v1: exampleRoutes,
      admin: adminExampleRoutes,
      operations: EXAMPLE_OPERATIONS,
      components: [wire.ModelExample, wire.AdminModelExample, wire.ModelExampleDeletion],
    };
  },
};
