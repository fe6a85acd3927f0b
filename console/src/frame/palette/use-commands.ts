import { useMantineColorScheme } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { chooseAccount, useOtherAccounts } from '../../api/person.ts';
import { switchMode, useSession } from '../../api/session.ts';
import { frameTexts } from '../../texts/frame.ts';
import { addKeyStore } from '../add-key.ts';
import { useLeaving } from '../leaving.ts';
import { SCHEMES } from '../schemes.ts';
import type { Find } from './find.ts';

const texts = frameTexts.palette;

/** What this session can do without a page. */
export function useCommands(): readonly Find[] {
  const { keys, mode } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mayOrder = useMay()('POST /v1/images');
  const otherAccounts = useOtherAccounts();
  const { signOut } = useLeaving();
  const other = mode === 'test' ? 'live' : 'test';
  return [
    ...(mayOrder && keys[other] !== undefined
      ? [{ id: other, label: texts.use[other], act: () => switchMode(other) }]
      : []),
    ...otherAccounts.map(({ account_id: id, name }) => ({
      id: `work-${id}`,
      label: frameTexts.session.workIn(name),
      act: () => void chooseAccount(id),
    })),
    { id: 'add-key', label: frameTexts.session.add, act: () => addKeyStore.set(true) },
    ...SCHEMES.filter(({ value }) => value !== colorScheme).map(({ value }) => ({
      id: `scheme-${value}`,
      label: texts.scheme[value],
      act: () => setColorScheme(value),
    })),
    { id: 'reference', label: frameTexts.reference, act: () => void window.open('docs', '_blank', 'noreferrer') },
    { id: 'sign-out', label: frameTexts.session.signOut, act: signOut },
  ];
}
