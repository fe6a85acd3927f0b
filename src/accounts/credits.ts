import {
  type AccountView,
  type CreditView,
  cutText,
  formatMicros,
  isoTime,
  MICROS_PER_DOLLAR,
  type Micros,
  ServiceError,
} from '@darkroom-service/contract';
import { fingerprint } from '../base/canonical-json.ts';
import type { Database, Session, Transaction } from '../database/database.ts';
import { getAccount } from './accounts.ts';
import { type Act, recordAct } from './audit.ts';
import { addCredit, balanceOf } from './ledger.ts';
import { lockBalance } from './recent-balances.ts';

/** Maximum balance, in micro-dollars: far below the limit up to which sums are safe integers. */
const LARGEST_BALANCE: Micros = 1_000_000_000 * MICROS_PER_DOLLAR;

/** Adds to the live balance; a negative amount reduces it. @throws ServiceError `not_found`, `invalid_request` */
export async function creditAccount(
  database: Pick<Database, 'write'>,
  by: Act,
  accountId: string,
  credit: { readonly amount: Micros; readonly note?: string | null },
): Promise<AccountView> {
  const { amount, note = null } = credit;
  if (!Number.isSafeInteger(amount) || amount === 0) {
    throw new ServiceError(
      'invalid_request',
      "'amount' must be an amount of dollars other than 0, with at most six decimals.",
      {
        param: 'amount',
      },
    );
  }
  return await database.write('credit_account', async (trx) => {
    await getAccount(trx, accountId);
    await by.binding?.within(trx, accountId);
    await lockBalance(trx, accountId);
    await checkBalance(trx, accountId, amount);
    const id = by.createId('crd');
    await addCredit(trx, { id, accountId, amount, note });
    await recordAct(trx, by, {
      act: 'account.credit',
      target: accountId,
      detail: { amount: formatMicros(amount), note },
    });
    return await getAccount(trx, accountId);
  });
}

/** Returns the fingerprint that a repeated credit must have in common with the first one. */
export function creditFingerprint(accountId: string, amount: Micros, note: string | null): string {
  return fingerprint({ accountId, amount, note });
}

/**
 * Takes a credit back, whole and once: the ledger gets an entry of the opposite amount that refers to it.
 * @throws ServiceError `not_found`, `not_refundable` if it was taken back before, `invalid_request`
 */
export async function takeBackCredit(
  database: Pick<Database, 'write'>,
  by: Act,
  creditId: string,
): Promise<CreditView> {
  return await database.write('take_back_credit', async (trx) => {
    await by.binding?.within(trx, creditId);
    const { account_id: accountId, amount } = await rowOf(trx, creditId);
    await lockBalance(trx, accountId);
    const { taken_back_at: before } = await rowOf(trx, creditId);
    if (before !== null)
      throw new ServiceError(
        'not_refundable',
        `The credit ${creditId} cannot be taken back: it was taken back at ${isoTime(before)}.`,
        { param: 'credit_id' },
      );
    await checkBalance(trx, accountId, -amount);
    await addCredit(trx, { id: creditId, accountId, amount: -amount, note: null, kind: 'correction' });
    await recordAct(trx, by, {
      act: 'account.take_back_credit',
      target: accountId,
      detail: { credit_id: creditId, amount: formatMicros(-amount) },
    });
    return view(await rowOf(trx, creditId));
  });
}

/** Reads a credit with the amount that was taken back. @throws ServiceError `not_found` */
export async function getCredit(session: Session, creditId: string): Promise<CreditView> {
  return view(await rowOf(session, creditId));
}

/** Lists the credits of all accounts, newest first. @param page.after the last credit of the page before */
export async function listCredits(
  session: Session,
  page: { readonly limit: number; readonly after: string | null },
): Promise<{ readonly items: CreditView[]; readonly hasMore: boolean }> {
  // A range of the primary key: the ids of credits begin with `crd_`, and the next character is a backtick.
  const rows = await session.all(
    select(session)
      .where('credit.task_id', '>=', 'crd_')
      .where('credit.task_id', '<', page.after ?? 'crd`')
      .orderBy('credit.task_id', 'desc')
      .limit(page.limit + 1),
  );
  return { items: rows.slice(0, page.limit).map(view), hasMore: rows.length > page.limit };
}

type CreditRow = Awaited<ReturnType<typeof rowOf>>;

async function rowOf(session: Session | Transaction, creditId: string) {
  const row = await session.first(select(session).where('credit.task_id', '=', creditId));
  if (row === undefined)
    throw new ServiceError('not_found', `There is no credit '${cutText(creditId, 64)}'.`, { param: 'credit_id' });
  return row;
}

function select({ builder }: Session) {
  return builder
    .selectFrom('ledger as credit')
    .leftJoin('ledger as correction', (join) =>
      join.onRef('correction.task_id', '=', 'credit.task_id').on('correction.kind', '=', 'correction'),
    )
    .select(['credit.task_id as id', 'credit.account_id', 'credit.amount', 'credit.note', 'credit.created_at'])
    .select('correction.created_at as taken_back_at')
    .where('credit.kind', '=', 'credit');
}

function view({ id, account_id, amount, note, created_at: at, taken_back_at: takenBack }: CreditRow): CreditView {
  return {
    credit_id: id,
    account_id,
    amount: formatMicros(amount),
    currency: 'USD',
    note,
    created_at: isoTime(at),
    taken_back_at: takenBack === null ? null : isoTime(takenBack),
  };
}

/** @throws ServiceError `invalid_request` if a change would make the balance too large to be summed */
async function checkBalance(trx: Transaction, accountId: string, change: Micros): Promise<void> {
  const balance = (await balanceOf(trx, accountId, 'live')) + change;
  if (Math.abs(balance) <= LARGEST_BALANCE) return;
  throw new ServiceError(
    'invalid_request',
    `'amount' would change the balance to ${formatMicros(balance)}; a balance must be between -${formatMicros(LARGEST_BALANCE)} and ${formatMicros(LARGEST_BALANCE)}.`,
    { param: 'amount' },
  );
}
