import type { Fixed } from '../../database/column.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    receipt_keys: ReceiptKeysTable;
  }
}

/** An Ed25519 key that signs receipts. The public half stays for ever, so that old receipts can be verified. */
interface ReceiptKeysTable {
  /** The thumbprint of the public key (RFC 7638). */
  kid: Fixed<string>;
  /** The public key: 32 bytes in Base64url, as a JWK has them. */
  x: Fixed<string>;
  /** The private key in Base64url, sealed if the operator has set DARKROOM_SECRETS_KEY; null once it is retired. */
  secret: string | null;
  created_at: Fixed<number>;
}

export const RECEIPT_TABLES = `
create table receipt_keys (
  kid text not null, x text not null, secret text, created_at bigint not null,
  constraint receipt_keys_pk primary key (kid)
);
`;
