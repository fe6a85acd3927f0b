import {
  type Addition,
  defineSettings,
  inputOf,
  prepare,
  type Session,
  Type,
  text,
} from '@darkroom-service/darkroom/kernel';

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

const select = (session: Session) =>
  session.builder
    .withTables<Tables>()
    .selectFrom('brand_orders')
    .select(({ fn }) => ['brand', 'status', fn.countAll<number>().as('orders')])
    .groupBy(['brand', 'status'])
    .orderBy('brand');

const end = prepare<{ task: string; status: string }, unknown>('brands_end', (builder, of) =>
  builder
    .withTables<Tables>()
    .updateTable('brand_orders')
    .set({ status: of('status') })
    .where('task_id', '=', of('task')),
);

/**
 * Lets an order name the brand that it is for, refuses prompts that name another one, holds orders back until somebody
 * approves them, and counts orders by brand.
 */
export const addition: Addition = {
  name: 'brands',
  settings: SETTINGS,
  tables: TABLES,
  fields: {
    brand: { type: 'string', maxLength: 40, description: 'The brand that the picture is for.' },
    brand_review: { type: 'boolean', description: 'Whether the order waits until it is approved.' },
  },
  gate: { closes: (order) => inputOf(order).brand_review === true },
  hooks: {
    personalTables: [{ table: 'brand_orders', taskColumn: 'task_id', accountColumn: 'account_id' }],
    erased: (trx, { id }) =>
      trx.run(trx.builder.withTables<Tables>().deleteFrom('brand_orders').where('task_id', '=', id)),
  },
  follower: {
    name: 'brands',
    follows: ({ input_json = '{}' }) => inputOf({ input_json }).brand !== undefined,
    placed: (unit, order) =>
      unit.send(insert, { task: order.id, account: order.account_id, brand: String(inputOf(order).brand) }),
    ended: (unit, { id }, { event }) => unit.send(end, { task: id, status: event.replace('task.', '') }),
  },
  commands(program) {
    const command = program.command('brands').description('Counts the orders of all accounts by brand.');
    command.action(async () => {
      const { print, withLocalData } = await import('@darkroom-service/darkroom/kernel-cli');
      await withLocalData('refuse', async ({ database: { read } }) => {
        for (const { brand, status, orders } of await read.all(select(read))) print(`${brand} ${status} ${orders}`);
      });
    });
  },
  open: ({ accounts, clock, gates, settings, store }) => ({
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
      return http.operations({
        'GET /v1/brands': {
          id: 'listBrands',
          summary: 'Count orders by brand',
          description: 'Of your account.',
          answer: Type.Object({ items: Type.Array(Count) }),
          roles: ['viewer', 'creator', 'manager'],
          async run({ key }) {
            return { items: await store.read.all(select(store.read).where('account_id', '=', key.account.id)) };
          },
        },
        'PUT /v1/brands/approvals/{task_id}': {
          id: 'approveBrandOrder',
          summary: 'Approve an order',
          description: 'It is made now, and its webhook gets the event `brands.approved`. `busy`: repeat the request.',
          roles: ['manager'],
          answer: Type.Object({ gate: Type.Enum(['opened', 'busy', 'open', 'none']) }),
          async run({ key, request }) {
            const { task_id: id } = request.params as { task_id: string };
            const gate = await store.write('brands_approve', async (trx) => {
              const order = await trx.first(
                trx.builder
                  .selectFrom('tasks')
                  .select(['id', 'account_id', 'api_key_id', 'webhook_url', 'deliver_json'])
                  .where('id', '=', id)
                  .where('account_id', '=', key.account.id),
              );
              if (order === undefined) return 'none';
              const opened = await gates.open(trx, 'brands', id);
              const event = { type: 'brands.approved', data: { task_id: id }, now: clock.now() } as const;
              if (opened === 'opened')
                accounts.notify(trx, order, (follower, unit) => follower.told?.(unit, order, event));
              return opened;
            });
            return { gate };
          },
        },
      });
    },
  }),
};
