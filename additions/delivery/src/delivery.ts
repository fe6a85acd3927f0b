import { sealAgain } from '@darkroom-service/addition-common/seal-again';
import {
  type Addition,
  findPendingDelivery,
  type OpenQuestion,
  type Session,
  vaultOf,
} from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';
import { DESTINATION_TABLES } from './destination-tables.ts';
import { createTargetReader } from './read-target.ts';
import { beginDeliveries, targetOf } from './stored-delivery.ts';

/** Finds outputs with pending deliveries, also those that are still to be made. */
async function findPendingDeliveries(session: Session, { hooks }: OpenQuestion): Promise<string | null> {
  const id = await findPendingDelivery(session, hooks, 'delivery', 'deliver_json');
  return id === null ? null : `the outputs of '${id}' are to be delivered. That takes a day at most once it has ended.`;
}

/** Delivers copies of outputs to buckets of customers. */
export const DELIVERY: Addition = {
  name: 'delivery',
  tables: DESTINATION_TABLES,
  hooks: {
    needs: sql`exists (select 1 from work where work.kind = 'delivery' and work.subject = tasks.id)`,
    personalTables: [{ table: 'destinations', accountColumn: 'account_id', hidden: ['sealed'] }],
  },
  follower: {
    name: 'delivery',
    bit: 2,
    follows: ({ deliver_json }) => deliver_json !== null,
    ended(unit, { id, account_id: accountId, deliver_json }, { event, outputs, now }) {
      const to = event === 'task.succeeded' ? targetOf(deliver_json) : null;
      if (to !== null) beginDeliveries(unit, { id, accountId, completedAt: now, outputs }, to, now);
    },
  },
  findOpenWork: findPendingDeliveries,
  deliverTo: (config, { read }) => createTargetReader(read, vaultOf(config), config.allowedAddresses),
  open: (kernel) => ({
    async start() {
      if (kernel.settings.role === 'api') return;
      const { vault } = kernel.settings;
      const [{ startDeliveries }, { subjectOf }] = await Promise.all([
        import('./deliver-outputs.ts'),
        import('./destinations.ts'),
      ]);
      if (vault !== null) await sealAgain(kernel.store, vault, 'destinations', subjectOf);
      startDeliveries(kernel);
    },
    async http(kernel) {
      const [{ deliveryRoutes }, { DELIVERY_OPERATIONS }, { Destination, DestinationRemoval }] = await Promise.all([
        import('./delivery-routes.ts'),
        import('./delivery-operations.ts'),
        import('./destination-wire.ts'),
      ]);
      return {
        v1: (v1) => deliveryRoutes(v1, kernel),
        operations: DELIVERY_OPERATIONS,
        section: ['Delivery', 'Copies of outputs in your own buckets.'],
        components: [Destination, DestinationRemoval],
      };
    },
  }),
};
