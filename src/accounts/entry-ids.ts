import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';

const PREFIX = 'entry_';
const FORM = /^entry_[0-9a-f]{32}$/;

/**
 * Encodes ids of ledger entries for clients. The ledger numbers the entries of all accounts in one sequence, which
 * would reveal the sales of the whole service. So an id is the number and its account, encrypted. An entry always has
 * the same id.
 */
export interface EntryIds {
  encode(accountId: string, number: number): string;
  /** Returns the number of an entry of the account; null for any other text. */
  decode(accountId: string, id: string): number | null;
}

/** Creates the codec of entry ids. @param secret belongs to the installation: ids change with it. */
export function createEntryIds(secret: string): EntryIds {
  const key = createHmac('sha256', secret).update('ledger entry ids').digest();
  return {
    encode(accountId, number) {
      const block = Buffer.alloc(16);
      block.writeBigUInt64BE(BigInt(number));
      markOf(accountId).copy(block, 8);
      // A single block that never repeats, so that ECB mode is sufficient.
      const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      return PREFIX + Buffer.concat([cipher.update(block), cipher.final()]).toString('hex');
    },
    decode(accountId, id) {
      if (!FORM.test(id)) return null;
      const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      const encrypted = Buffer.from(id.slice(PREFIX.length), 'hex');
      const block = Buffer.concat([decipher.update(encrypted), decipher.final()]);
      if (!block.subarray(8).equals(markOf(accountId))) return null;
      const number = block.readBigUInt64BE();
      return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : null;
    },
  };
}

/** Returns eight bytes specific to the account, so that an id is valid only in its own account. */
function markOf(accountId: string): Buffer {
  return createHash('sha256').update(accountId).digest().subarray(0, 8);
}
