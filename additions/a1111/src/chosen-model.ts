import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import type { Fixed } from '@darkroom-service/store';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    a1111_options: A1111OptionsTable;
  }
}

/** The model that the apps of a key chose. */
interface A1111OptionsTable {
  /** The id of the API key. */
  id: Fixed<string>;
  model_id: string;
}

export const A1111_TABLES = `
create table a1111_options (
  id text not null, model_id text not null,
  constraint a1111_options_pk primary key (id)
);
`;

type ChoosingKernel = Pick<Kernel, 'models' | 'store'>;

/** Returns the image models that a key can order. */
export async function imageModels({ models }: Pick<Kernel, 'models'>, key: OrderingKey): Promise<string[]> {
  return (await models.list(key)).filter(({ type }) => type === 'image').map(({ model_id: id }) => id);
}

/** Returns the model of orders that name none: the chosen one, or else the first of the list. */
export async function chosenModel(kernel: ChoosingKernel, key: OrderingKey): Promise<string> {
  const { read } = kernel.store;
  const row = await read.first(read.builder.selectFrom('a1111_options').select('model_id').where('id', '=', key.id));
  return row?.model_id ?? (await imageModels(kernel, key))[0] ?? '';
}

/** Stores the model of the next orders of a key. @throws ServiceError `model_not_found`, `model_not_allowed` */
export async function chooseModel({ models, store }: ChoosingKernel, key: OrderingKey, modelId: string): Promise<void> {
  const { model_id: id } = models.find(key, modelId);
  await store.write('a1111_options', (trx) =>
    trx.run(
      trx.builder
        .insertInto('a1111_options')
        .values({ id: key.id, model_id: id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ model_id: id })),
    ),
  );
}
