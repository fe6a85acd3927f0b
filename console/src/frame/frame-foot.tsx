import { useEffect } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/may.ts';
import { learnOffered } from '../api/offered.ts';
import { useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useApi } from '../api/use-api.ts';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { formatMoney } from '../components/money.tsx';
import { Small } from '../components/words.ts';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';
import classes from './balance.module.css';
import { LeavingDialog } from './leaving-dialog.tsx';
import { OrderTray } from './order-tray.tsx';
import { SessionMenu } from './session-menu.tsx';

/** What every page has besides the navigation: the orders under way, the key in use, and the menus. */
export function FrameFoot() {
  useEffect(() => void learnOffered(), []);
  return (
    <>
      <OrderTray />
      <Balance />
      <SessionMenu />
      <KeyDialog />
      <LeavingDialog />
    </>
  );
}

function KeyDialog() {
  const close = () => addKeyStore.set(false);
  if (!useStore(addKeyStore)) return null;
  return (
    <Dialog onClose={close} title={frameTexts.session.add}>
      <KeyForm onSignedIn={close} />
    </Dialog>
  );
}

/** The balance that pays for orders, or play money, shown to those who may order. Read again after each order. */
function Balance() {
  const session = useSession();
  const mayOrder = useMay()('POST /v1/images');
  const { data: account } = useApi('GET /v1/account', {}, { enabled: mayOrder && session.mode === 'live' });
  if (!mayOrder) return null;
  if (session.mode === 'test') {
    return <Small className={classes.balance ?? ''}>Play money</Small>;
  }
  const isShort = account !== undefined && account.credit_limit !== null && Number(account.balance) <= 0;
  return (
    <Link href="/money/usage" className={classes.balance ?? ''} data-short={isShort || undefined}>
      <span className={classes.label}>Balance</span>{' '}
      <span className="figures">{account === undefined ? '…' : formatMoney(account.balance)}</span>
    </Link>
  );
}
