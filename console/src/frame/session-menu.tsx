import { ActionIcon, Button, Group, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconKey,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSwitchHorizontal,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react';
import { useMay } from '../api/may.ts';
import { chooseAccount, personStore, useOtherAccounts } from '../api/person.ts';
import { isPersonKey, type KeyKind, type Mode, switchMode, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Small } from '../components/words.ts';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';
import classes from './frame.module.css';
import { useLeaving } from './leaving.ts';
import { SCHEMES } from './schemes.ts';

/** A menu with the keys in this browser, which of them is used for orders, and the colour scheme. */
export function SessionMenu() {
  const { keys, mode, remembered } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const texts = frameTexts.session;
  const kinds = (Object.keys(keys) as KeyKind[]).filter((kind) => !isPersonKey(keys[kind] ?? ''));
  const { person, account } = useStore(personStore);
  const otherAccounts = useOtherAccounts();
  const { forget, signOut } = useLeaving();
  const mayOrder = useMay()('POST /v1/images');
  const hasChoice = mayOrder && keys.test !== undefined && keys.live !== undefined;
  const { words } = frameTexts.mode;
  return (
    <Group gap={2} justify="space-between" wrap="nowrap">
      <Menu position="top-start" width={270}>
        <Menu.Target>
          <Button
            className={classes.session ?? ''}
            variant="subtle"
            color="gray"
            leftSection={<IconUserCircle size={21} stroke={1.6} aria-hidden="true" />}
            aria-label={mayOrder ? `${texts.open}: ${words[mode]}` : texts.open}
          >
            {mayOrder && words[mode]}
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
              <Menu.Label>Key used for orders</Menu.Label>
              <Menu.RadioGroup value={mode} onChange={(wish) => switchMode(wish as Mode)}>
                {(['test', 'live'] as const).map((one) => (
                  <Menu.RadioItem key={one} value={one} closeMenuOnClick aria-label={words[one]}>
                    {words[one]}
                    <Small>{frameTexts.mode.hints[one]}</Small>
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
              {texts.workIn(name)}
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
              {texts.keyOf[kind]}
              <Small ff="monospace">{shorten(keys[kind] ?? '')}</Small>
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => addKeyStore.set(true)}>
            {texts.add}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
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
    </Group>
  );
}

/** Enough to tell two keys apart, too little to use one. */
function shorten(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_') + 5)}…`;
}
