import type { Addition } from '@darkroom-service/darkroom/kernel';
import { whenRun, withIdempotencyKey, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Fixed } from '@darkroom-service/store';
import type { Command } from 'commander';

declare module '../../../src/database/schema.ts' {
  interface Schema {
    receipt_keys: ReceiptKeysTable;
  }
}

/** An Ed25519 key that signs receipts. The public half stays for ever, so that old receipts can be verified. */
interface ReceiptKeysTable {
  /** Thumbprint of the public key (RFC 7638). */
  kid: Fixed<string>;
  /** Public key: 32 bytes in Base64url, as a JWK has them. */
  x: Fixed<string>;
  /** Private key in Base64url, sealed if the operator has set DARKROOM_SECRETS_KEY; null once it is retired. */
  secret: string | null;
  created_at: Fixed<number>;
}

const RECEIPT_TABLES = `
create table receipt_keys (
  kid text not null, x text not null, secret text, created_at bigint not null,
  constraint receipt_keys_pk primary key (kid)
);
`;

/** Signed receipts of tasks and batches, which others can verify without the service. */
export const RECEIPTS: Addition = {
  name: 'receipts',
  tables: RECEIPT_TABLES,
  commands: addReceiptsCommand,
  pages: [{ name: 'receipts', title: 'Receipts', behind: 'webhooks' }],
  open: () => ({
    async http(kernel) {
      const [{ publicKeyRoutes, receiptRoutes }, { RECEIPT_OPERATIONS }, wire] = await Promise.all([
        import('./receipt-routes.ts'),
        import('./receipt-operations.ts'),
        import('./receipt-wire.ts'),
      ]);
      return {
        open: (app) => publicKeyRoutes(app, kernel),
        v1: (v1) => receiptRoutes(v1, kernel),
        operations: RECEIPT_OPERATIONS,
        section: ['Receipts', 'Signed statements of what was ordered, made and charged.'],
        components: [wire.TaskReceipt, wire.BatchReceipt, wire.PublicKeySet],
      };
    },
  }),
};

/** Adds `darkroom receipts`. It works directly on the database, also while the service is running. */
function addReceiptsCommand(program: Command): void {
  const receipts = program.command('receipts').description('replace the key that signs receipts');
  withIdempotencyKey(
    withOutput(receipts.command('rotate').description('sign receipts with a new key from now on')),
  ).action(whenRun(async () => (await import('./rotate-key.ts')).rotateKey));
}
