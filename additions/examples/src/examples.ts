import type { Addition } from '@darkroom-service/darkroom/kernel';
import type { Fixed } from '@darkroom-service/store';
import { addExamplesCommand } from './examples-command.ts';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    model_examples: ModelExamplesTable;
  }
}

/** An order that is shown as an example of its model: a copy, because the task and its files expire. */
interface ModelExamplesTable {
  id: Fixed<string>;
  model_id: Fixed<string>;
  task_id: Fixed<string>;
  account_id: Fixed<string>;
  type: Fixed<'image' | 'video'>;
  prompt: Fixed<string | null>;
  /** Charge of the order, in micro-dollars. */
  amount: Fixed<number>;
  /** Pixels of the output. */
  width: Fixed<number | null>;
  height: Fixed<number | null>;
  /** Thumbnail of the output: a WebP of at most 512 pixels, as base64. In the row, so that both end together. */
  picture: Fixed<string>;
  ordered_at: Fixed<number>;
}

const EXAMPLE_TABLES = `
create table model_examples (
  id text not null, model_id text not null, task_id text not null, account_id text not null, type text not null,
  prompt text, amount bigint not null, width bigint, height bigint, picture text not null, ordered_at bigint not null,
  constraint model_examples_pk primary key (id)
);
create unique index model_examples_by_task on model_examples (task_id);
create index model_examples_by_model on model_examples (model_id, id);
create index model_examples_by_account on model_examples (account_id);
`;

/** The operator's own orders that are shown as examples of their models. */
export const EXAMPLES: Addition = {
  name: 'examples',
  tables: EXAMPLE_TABLES,
  commands: addExamplesCommand,
  hooks: {
    personalTables: [{ table: 'model_examples', accountColumn: 'account_id', hidden: ['picture'] }],
    // An order that is erased by age stays an example.
    erased: async (trx, { id, isDeleted }) =>
      isDeleted && (await trx.run(trx.builder.deleteFrom('model_examples').where('task_id', '=', id))),
  },
  open: () => ({
    async http(kernel) {
      const [{ adminExampleRoutes, examplePictures, exampleRoutes }, { EXAMPLE_OPERATIONS }, wire] = await Promise.all([
        import('./example-routes.ts'),
        import('./example-operations.ts'),
        import('./example-wire.ts'),
      ]);
      return {
        open: (app) => examplePictures(app, kernel),
        v1: (v1) => exampleRoutes(v1, kernel),
        admin: (admin) => adminExampleRoutes(admin, kernel),
        operations: EXAMPLE_OPERATIONS,
        components: [wire.ModelExample, wire.AdminModelExample, wire.ModelExampleDeletion],
      };
    },
  }),
};
