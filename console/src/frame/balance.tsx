import { Link } from 'wouter';
import { orderingKey, useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { formatMoney } from '../components/money.tsx';
import { Small } from '../components/words.ts';
import { frameTexts } from '../texts/frame.ts';
import classes from './balance.module.css';

const texts = frameTexts.balance;

/** What the key in use pays with: the balance of its account, or play money. Read again after each order. */
export function Balance() {
  const session = useSession();
  const hasKey = orderingKey(session) !== null;
  const { data: account } = useApi('GET /v1/account', {}, { enabled: hasKey && session.mode === 'live' });
  if (!hasKey) return null;
  if (session.mode === 'test') {
    return <Small className={classes.balance ?? ''}>{texts.playMoney}</Small>;
  }
  const isShort = account !== undefined && account.credit_limit !== null && Number(account.balance) <= 0;
  return (
    <Link href="/usage" className={classes.balance ?? ''} data-short={isShort || undefined}>
      <span className={classes.label}>{texts.label}</span>{' '}
      <span className="figures">{account === undefined ? '…' : formatMoney(account.balance)}</span>
    </Link>
  );
}
