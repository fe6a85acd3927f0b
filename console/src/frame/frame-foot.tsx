import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/may.ts';
import { learnOffered } from '../api/offered.ts';
import { useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useApi } from '../api/use-api.ts';
import { PlainButton } from '../components/buttons.ts';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { formatMoney } from '../components/money.tsx';
import { Small } from '../components/words.ts';
import { frameTexts } from '../texts/frame.ts';
import { orderTexts } from '../texts/orders.ts';
import { addKeyStore } from './add-key.ts';
import classes from './balance.module.css';
import { type Leaving, leavingStore } from './leaving.ts';
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

const leavingTexts = orderTexts.leaving;

/** Says what is lost with the list of orders, before a key leaves this browser. */
function LeavingDialog() {
  const leaving = useStore(leavingStore);
  return leaving === null ? null : <Question leaving={leaving} />;
}

function Question({ leaving: { orders, action, act } }: { readonly leaving: Leaving }) {
  const onStay = () => leavingStore.set(null);
  const onLeave = () => {
    leavingStore.set(null);
    act();
  };
  const deeds = orders.filter(({ kind }) => kind === 'deed').length;
  const placed = orders.length - deeds;
  const unconfirmed = orders.filter(({ kind, state }) => kind !== 'deed' && state === 'unconfirmed').length;
  return (
    <Dialog
      onClose={onStay}
      title={
        placed === 0
          ? leavingTexts.deeds(deeds)
          : placed === 1
            ? 'One order is still under way'
            : `${placed} orders are still under way`
      }
    >
      <Stack>
        {placed > 0 && (
          <Text size="sm">
            They are made and charged all the same. You find them with your work when you sign in with the same key
            again.
          </Text>
        )}
        {unconfirmed > 0 && <Text size="sm">{leavingTexts.unconfirmed(unconfirmed)}</Text>}
        {deeds > 0 && (
          <Text size="sm">
            {placed > 0 && `${leavingTexts.deeds(deeds)}. `}
            Without this list, the console cannot find out. Look at their pages before you make them again.
          </Text>
        )}
        <Text size="sm">The list of orders is removed in all tabs of this browser.</Text>
        <Group justify="flex-end">
          <PlainButton onClick={onStay} data-autofocus>
            Stay signed in
          </PlainButton>
          <Button onClick={onLeave}>{action}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
