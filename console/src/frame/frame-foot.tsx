import { ActionIcon, Button, Group, Menu, Stack, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconKey,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSwitchHorizontal,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/may.ts';
import { learnOffered } from '../api/offered.ts';
import { chooseAccount, personStore, useOtherAccounts } from '../api/person.ts';
import { isPersonKey, type KeyKind, type Mode, orderingKey, switchMode, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { useApi } from '../api/use-api.ts';
import { PlainButton } from '../components/buttons.ts';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from '../components/key-form.tsx';
import { Small } from '../components/words.tsx';
import { formatMany, formatMoney } from '../format.ts';
import { frameTexts } from '../texts/frame.ts';
import { inWords } from '../texts/in-words.ts';
import classes from './balance.module.css';
import frameClasses from './frame.module.css';
import { OrderTray } from './order-tray.tsx';
import { addKeyStore, type Leaving, leavingStore, SCHEMES, useLeaving } from './session-acts.ts';

const MODE_HINTS = {
  test: 'Drawings in place of every model, at no cost',
  live: 'The models’ real engines, charged to the account',
};

/** The elements of every page besides the navigation: the open orders, the key in use, and the menus. */
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
    <Dialog onClose={close} title={frameTexts.addKey}>
      <KeyForm onSignedIn={close} />
    </Dialog>
  );
}

/** The balance that pays for orders, or play money, for sessions that may see it. Refetched after each order. */
function Balance() {
  const session = useSession();
  const maySeeSpending = useMay()('GET /v1/account/usage');
  const { data: account } = useApi('GET /v1/account', {}, { enabled: maySeeSpending && session.mode === 'live' });
  if (!maySeeSpending) return null;
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

/** Warns before a key and its list of orders are removed from this browser. */
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
  const unknownDeeds = `It is not known whether ${formatMany(deeds, 'change was', 'changes were')} made`;
  const placed = orders.length - deeds;
  const unconfirmed = orders.filter(({ kind, state }) => kind !== 'deed' && state === 'unconfirmed').length;
  return (
    <Dialog
      onClose={onStay}
      title={placed === 0 ? unknownDeeds : `${formatMany(placed, 'order is', 'orders are')} still under way`}
    >
      <Stack>
        {placed > 0 && (
          <Text size="sm">
            They are made and charged all the same. You find them with your work when you sign in with the same key
            again.
          </Text>
        )}
        {unconfirmed > 0 && (
          <Text size="sm">{`${formatMany(unconfirmed, 'of them is', 'of them are')} unconfirmed: without this list, the console cannot find out whether it arrived. Look for it in your work before you order it again.`}</Text>
        )}
        {deeds > 0 && (
          <Text size="sm">
            {placed > 0 && `${unknownDeeds}. `}
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

/** A menu with the keys in this browser, the choice of the mode, and the colour scheme. */
function SessionMenu() {
  const session = useSession();
  const { keys, mode, remembered } = session;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const open = 'Keys in this browser';
  const kinds = (Object.keys(keys) as KeyKind[]).filter((kind) => !isPersonKey(keys[kind] ?? ''));
  const { person, account } = useStore(personStore);
  const otherAccounts = useOtherAccounts();
  const { forget, signOut } = useLeaving();
  const hasMode = orderingKey(session) !== null;
  const hasChoice = keys.test !== undefined && keys.live !== undefined;
  return (
    <Group gap={2} justify="space-between" wrap="nowrap">
      <Menu position="top-start" width={270}>
        <Menu.Target>
          <Button
            className={frameClasses.session ?? ''}
            variant="subtle"
            color="gray"
            leftSection={<IconUserCircle size={21} stroke={1.6} aria-hidden="true" />}
            aria-label={hasMode ? `${open}: ${inWords(mode)}` : open}
          >
            {hasMode && inWords(mode)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {person !== null && (
            <Menu.Label>
              {`Signed in as ${person.name}`}
              {account !== null && ` · ${account.role} in ${account.name ?? ''}`}
            </Menu.Label>
          )}
          {hasChoice && (
            <>
              <Menu.Label>Orders to show and place</Menu.Label>
              <Menu.RadioGroup value={mode} onChange={(wanted) => switchMode(wanted as Mode)}>
                {(['test', 'live'] as const).map((one) => (
                  <Menu.RadioItem key={one} value={one} closeMenuOnClick aria-label={inWords(one)}>
                    {inWords(one)}
                    <Small>{MODE_HINTS[one]}</Small>
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
              <Menu.Divider />
            </>
          )}
          {otherAccounts.map(({ account_id, name }) => (
            <Menu.Item
              key={account_id}
              leftSection={<IconSwitchHorizontal size={16} />}
              onClick={() => void chooseAccount(account_id)}
            >
              {`Work in ${name}`}
            </Menu.Item>
          ))}
          {(person === null || kinds.length > 0) && (
            <Menu.Label>{remembered ? 'Kept in this browser until you sign out' : 'Kept for this tab only'}</Menu.Label>
          )}
          {kinds.map((kind) => (
            <Menu.Item
              key={kind}
              leftSection={<IconKey size={16} />}
              rightSection={<IconTrash size={15} />}
              onClick={() => forget(kind)}
              aria-label={`Forget the ${kind} key`}
            >
              {`${inWords(kind)} key`}
              <Small ff="monospace">{shorten(keys[kind] ?? '')}</Small>
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => addKeyStore.set(true)}>
            {frameTexts.addKey}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
            {frameTexts.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label="Light or dark">
            <IconMoon size={19} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {SCHEMES.map(({ value, icon: Icon, word }) => (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} />}
              onClick={() => setColorScheme(value)}
              aria-current={value === colorScheme}
              fw={value === colorScheme ? 600 : 400}
            >
              {word}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** Shortens a key: enough to distinguish it, too little to use it. */
function shorten(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 5)}…`;
}
