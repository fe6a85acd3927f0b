import { type Addition, defineSettings, inputOf, prepare, Type, text } from '@darkroom-service/darkroom/kernel';

const SETTINGS = defineSettings({
  variables: {
    BRANDS: text({ expected: 'names such as acme,globex', description: 'The brands.', default: 'acme,globex' }),
  },
  read: ({ BRANDS }): readonly string[] => BRANDS.split(','),
});

const TABLES = `
create table brand_orders (
  task_id text not null, account_id text not null, brand text not null, status text not null,
  constraint brand_orders_pk primary key (task_id)
);
create index brand_orders_by_account on brand_orders (account_id, brand, status);
`;

/** The types of the table, for the builder of statements. */
type Tables = {
  brand_orders: { task_id: string; account_id: string; brand: string; status: string };
};

const insert = prepare<{ task: string; account: string; brand: string }, unknown>('brands_insert', (builder, of) =>
  builder
    .withTables<Tables>()
    .insertInto('brand_orders')
    .values({ task_id: of('task'), account_id: of('account'), brand: of('brand'), status: 'open' }),
);

const end = prepare<{ task: string; status: string }, unknown>('brands_end', (builder, of) =>
  builder
    .withTables<Tables>()
    .updateTable('brand_orders')
    .set({ status: of('status') })
    .where('task_id', '=', of('task')),
);

/** Lets an order name the brand that it is for, refuses prompts that name another one, and counts orders by brand. */
export const addition: Addition = {
  name: 'brands',
  settings: SETTINGS,
  tables: TABLES,
  fields: { brand: { type: 'string', maxLength: 40, description: 'The brand that the picture is for.' } },
  hooks: {
    personalTables: [{ table: 'brand_orders', taskColumn: 'task_id', accountColumn: 'account_id' }],
    erased: (trx, { id }) =>
      trx.run(trx.builder.withTables<Tables>().deleteFrom('brand_orders').where('task_id', '=', id)),
  },
  follower: {
    name: 'brands',
    bit: 2 ** 16,
    follows: ({ input_json = '{}' }) => inputOf({ input_json }).brand !== undefined,
    placed: (unit, order) =>
      unit.send(insert, { task: order.id, account: order.account_id, brand: String(inputOf(order).brand) }),
    ended: (unit, { id }, { event }) => unit.send(end, { task: id, status: event.replace('task.', '') }),
  },
  open: ({ settings, store }) => ({
    async judge() {
      const brands = settings.of(SETTINGS);
      return {
        async beforeSubmission(order) {
          const { brand, prompt } = inputOf(order);
          const other = brands.find((one) => one !== brand && String(prompt).toLowerCase().includes(one));
          return brand === undefined || other === undefined ? null : `A picture for ${brand} must not show ${other}.`;
        },
      };
    },
    async http({ http }) {
      const Count = Type.Object({ brand: Type.String(), status: Type.String(), orders: Type.Integer() });
      const select = store.read.builder.withTables<Tables>().selectFrom('brand_orders').groupBy(['brand', 'status']);
      return http.operations({
        'GET /v1/brands': {
          id: 'listBrands',
          summary: 'Count orders by brand',
          description: 'Of your account.',
          answer: Type.Object({ items: Type.Array(Count) }),
          async run({ key }) {
            const ofAccount = select.where('account_id', '=', key.account.id).orderBy('brand');
            const items = await store.read.all(
              ofAccount.select(({ fn }) => ['brand', 'status', fn.countAll<number>().as('orders')]),
            );
            return { items };
          },
        },
      });
    },
  }),
};
