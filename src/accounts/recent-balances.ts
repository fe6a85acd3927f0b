import { formatMicros, type Micros, ServiceError, world } from '@darkroom-service/contract';
import type { Transaction } from '../database/database.ts';
import type { Account } from './api-key.ts';
import { balanceWithin, type LedgerMode, type SummedBalance } from './ledger.ts';

/** Milliseconds after which all entries since the last checkpoint are summed again. */
const SUMMED_AGAIN_AFTER_MS = 5_000;
const MOST_ACCOUNTS = 10_000;

interface Known extends SummedBalance {
  /** Time at which the entries since the checkpoint were summed, by `world.monotonic()`. */
  readonly summedAt: number;
}

/**
 * The balances of accounts with a credit limit as last read by this process. An order then sums only the entries since
 * that read instead of all entries of a busy account's last minutes.
 *
 * An entry that is committed after a sum, but dated before it, is missed until everything is summed again. Only
 * settlements can be missed, and they never lower a balance: orders and credits are entered under the lock of their
 * account. So a known balance is at most the real one, and an order that it does not allow is checked against a new
 * sum.
 */
export class RecentBalances {
  readonly #known = new Map<string, Known>();

  /**
   * Refuses an order that the account cannot pay for. Reads and locks nothing if the account has no limit.
   * @throws ServiceError `insufficient_balance`
   */
  async assertCanPay(trx: Transaction, account: Account, mode: LedgerMode, price: Micros): Promise<void> {
    if (mode === 'test' || account.creditLimit === null) return;
    await lockBalance(trx, account.id);
    if (price <= (await this.#balanceOf(trx, account.id, { whole: false })) + account.creditLimit) return;
    const available = (await this.#balanceOf(trx, account.id, { whole: true })) + account.creditLimit;
    if (price <= available) return;
    throw new ServiceError(
      'insufficient_balance',
      `This costs ${formatMicros(price)} USD, but only ${formatMicros(Math.max(0, available))} USD are available. Credit the account or order something cheaper.`,
      { details: [{ needed: formatMicros(price), available: formatMicros(Math.max(0, available)), currency: 'USD' }] },
    );
  }

  async #balanceOf(trx: Transaction, accountId: string, { whole }: { readonly whole: boolean }): Promise<Micros> {
    return await balanceWithin(trx, accountId, 'live', {
      from: whole ? null : this.#recent(accountId),
      whole,
      remember: (summed, isWhole) => trx.afterCommit(() => this.#remember(accountId, summed, isWhole)),
    });
  }

  #recent(accountId: string): Known | null {
    const known = this.#known.get(accountId);
    return known === undefined || world.monotonic() - known.summedAt > SUMMED_AGAIN_AFTER_MS ? null : known;
  }

  #remember(accountId: string, summed: SummedBalance, isWhole: boolean): void {
    const before = this.#known.get(accountId);
    if (!isWhole && before === undefined) return;
    if (this.#known.size >= MOST_ACCOUNTS) this.#known.clear();
    const summedAt = isWhole || before === undefined ? world.monotonic() : before.summedAt;
    this.#known.set(accountId, { ...summed, summedAt });
  }
}

/** Excludes other orders and credits of the account until the transaction ends. */
export async function lockBalance(trx: Transaction, accountId: string): Promise<void> {
  await trx.lock(`account:${accountId}`);
}
