import { ActionIcon, Group, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
  IconSwitchHorizontal,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react';
import { useState } from 'react';
import { type BookedOrder, isUnderWay } from '../api/booked-order.ts';
import { useOrderBook } from '../api/order-book.ts';
import { chooseAccount, endPersonSession, personStore } from '../api/person.ts';
import { forgetKey, isPersonKey, type KeyKind, signOut, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Small } from '../components/words.ts';
import { frameTexts } from '../texts/frame.ts';
import { orderTexts } from '../texts/orders.ts';
import { addKeyStore } from './add-key.ts';
import { LeavingDialog } from './leaving-dialog.tsx';

const SCHEMES = [
  { value: 'auto', icon: IconDeviceDesktop },
  { value: 'light', icon: IconSun },
  { value: 'dark', icon: IconMoon },
] as const;

/** A menu with the keys in this browser and the colour scheme. */
export function SessionMenu() {
  const { keys, remembered } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const texts = frameTexts.session;
  const kinds = (Object.keys(keys) as KeyKind[]).filter((kind) => !isPersonKey(keys[kind] ?? ''));
  const { person, account } = useStore(personStore);
  const otherAccounts = (person?.memberships ?? []).filter(
    ({ account_id }) => account_id !== null && account_id !== account?.account_id,
  );
  const underWay = useOrderBook().filter(isUnderWay);
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  /** Asks first if the list of orders under way is lost. */
  const leave = (next: Leaving) => (next.orders.length === 0 ? next.act() : setLeaving(next));
  return (
    <Group gap={2} justify="space-between" wrap="nowrap">
      <Menu position="top-start" width={270}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={texts.open}>
            <IconUserCircle size={21} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {person !== null && (
            <Menu.Label>
              {texts.signedInAs(person.name)}
              {account !== null && ` · ${texts.roleIn(account.role, account.name ?? '')}`}
            </Menu.Label>
          )}
          {otherAccounts.map(({ account_id, name }) => (
            <Menu.Item
              key={account_id}
              leftSection={<IconSwitchHorizontal size={16} />}
              onClick={() => void chooseAccount(account_id ?? '')}
            >
              {texts.workIn(name ?? '')}
            </Menu.Item>
          ))}
          {(person === null || kinds.length > 0) && (
            <Menu.Label>{remembered ? texts.kept : texts.keptForTab}</Menu.Label>
          )}
          {kinds.map((kind) => (
            <Menu.Item
              key={kind}
              leftSection={<IconKey size={16} />}
              rightSection={<IconTrash size={15} />}
              onClick={() =>
                leave({
                  orders: underWay.filter(({ mode }) => mode === kind),
                  action: orderTexts.leaving.forget,
                  act: () => forgetKey(kind),
                })
              }
              aria-label={texts.forget(kind)}
            >
              {texts.keyOf[kind]}
              <Small ff="monospace">{shorten(keys[kind] ?? '')}</Small>
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => addKeyStore.set(true)}>
            {texts.add}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => leave({ orders: underWay, action: orderTexts.leaving.signOut, act: leaveAll })}
          >
            {texts.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Menu position="top-end">
        <Menu.Target>
          <ActionIcon size="lg" aria-label={frameTexts.scheme.label}>
            <IconMoon size={19} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {SCHEMES.map(({ value, icon: Icon }) => (
            <Menu.Item
              key={value}
              leftSection={<Icon size={16} />}
              onClick={() => setColorScheme(value)}
              aria-current={value === colorScheme}
              fw={value === colorScheme ? 600 : 400}
            >
              {frameTexts.scheme[value]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {leaving !== null && (
        <LeavingDialog
          orders={leaving.orders}
          action={leaving.action}
          onStay={() => setLeaving(null)}
          onLeave={() => {
            setLeaving(null);
            leaving.act();
          }}
        />
      )}
    </Group>
  );
}

/** Ends the session of a person at the service too. */
function leaveAll(): void {
  void endPersonSession();
  signOut();
}

interface Leaving {
  readonly orders: readonly BookedOrder[];
  readonly action: string;
  readonly act: () => void;
}

/** Enough to tell two keys apart, too little to use one. */
function shorten(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 5)}…`;
}
