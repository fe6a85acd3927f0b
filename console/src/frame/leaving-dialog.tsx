import { Button, Group, Stack, Text } from '@mantine/core';
import { useStore } from '../api/store.ts';
import { PlainButton } from '../components/buttons.ts';
import { Dialog } from '../components/dialog.tsx';
import { orderTexts } from '../texts/orders.ts';
import { type Leaving, leavingStore } from './leaving.ts';

const texts = orderTexts.leaving;

/** Says what is lost with the list of orders, before a key leaves this browser. */
export function LeavingDialog() {
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
    <Dialog onClose={onStay} title={placed === 0 ? texts.deeds(deeds) : texts.title(placed)}>
      <Stack>
        {placed > 0 && <Text size="sm">{texts.text}</Text>}
        {unconfirmed > 0 && <Text size="sm">{texts.unconfirmed(unconfirmed)}</Text>}
        {deeds > 0 && (
          <Text size="sm">
            {placed > 0 && `${texts.deeds(deeds)}. `}
            {texts.deedsHint}
          </Text>
        )}
        <Text size="sm">{texts.lost}</Text>
        <Group justify="flex-end">
          <PlainButton onClick={onStay} data-autofocus>
            {texts.stay}
          </PlainButton>
          <Button onClick={onLeave}>{action}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
