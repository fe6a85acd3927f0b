import { Modal, Tooltip } from '@mantine/core';
import type { CSSProperties } from 'react';
import { type Mode, switchMode, useSession } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { KeyForm } from '../components/key-form.tsx';
import { Segments } from '../components/segments.tsx';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';
import { Balance } from './balance.tsx';
import classes from './frame.module.css';
import { OrderTray } from './order-tray.tsx';
import { SessionMenu } from './session-menu.tsx';

/** Real money has the colour of the accent, so that nobody takes it for play money. */
const LIVE = { '--sc-color': 'var(--accent)', '--sc-label-color': 'var(--on-accent)' } as CSSProperties;

/** What every page has besides the navigation: the orders under way, the key in use, and the menus. */
export function FrameFoot() {
  return (
    <>
      <OrderTray />
      <div className={classes.money}>
        <Balance />
        <ModeSwitch />
      </div>
      <SessionMenu />
      <KeyDialog />
    </>
  );
}

/** Switches between the test and the live key. Asks for a missing key. */
function ModeSwitch() {
  const { keys, mode } = useSession();
  const texts = frameTexts.mode;
  const choose = (wish: Mode) => {
    if (keys[wish] === undefined) addKeyStore.set(true);
    else switchMode(wish);
  };
  return (
    <Tooltip label={mode === 'test' ? texts.testHint : texts.liveHint} position="right">
      <Segments
        label={texts.label}
        words={texts.words}
        size="xs"
        value={mode}
        onChange={choose}
        style={mode === 'live' ? LIVE : undefined}
      />
    </Tooltip>
  );
}

function KeyDialog() {
  const close = () => addKeyStore.set(false);
  return (
    <Modal opened={useStore(addKeyStore)} onClose={close} title={frameTexts.session.add}>
      <KeyForm onSignedIn={close} />
    </Modal>
  );
}
