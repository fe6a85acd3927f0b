import type { Addition } from '../../service/addition.ts';
import { RECEIPT_TABLES } from './receipt-tables.ts';
import { addReceiptsCommand } from './receipts-command.ts';

/** Signed receipts of tasks and batches, which others can verify without the service. */
export const RECEIPTS: Addition = {
  name: 'receipts',
  tables: RECEIPT_TABLES,
  commands: addReceiptsCommand,
  pages: [{ name: 'receipts', title: 'Receipts', behind: 'webhooks' }],
  async http() {
    const [{ publicKeyRoutes, receiptRoutes }, { RECEIPT_OPERATIONS }, wire] = await Promise.all([
      import('./receipt-routes.ts'),
      import('./receipt-operations.ts'),
      import('./receipt-wire.ts'),
    ]);
    return {
      open: publicKeyRoutes,
      v1: receiptRoutes,
      operations: RECEIPT_OPERATIONS,
      section: ['Receipts', 'Signed statements of what was ordered, made and charged.'],
      components: [wire.TaskReceipt, wire.BatchReceipt, wire.PublicKeySet],
    };
  },
};
