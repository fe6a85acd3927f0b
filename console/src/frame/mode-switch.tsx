import { SegmentedControl, Tooltip } from '@mantine/core';
import type { CSSProperties } from 'react';
import { type Mode, switchMode, useSession } from '../api/session.ts';
import { frameTexts } from '../texts/frame.ts';
import { addKeyStore } from './add-key.ts';

/** Real money has the colour of the accent, so that nobody takes it for play money. */
const LIVE = { '--sc-color': 'var(--accent)', '--sc-label-color': 'var(--on-accent)' } as CSSProperties;

/** Switches between the test and the live key. Asks for a missing key. */
export function ModeSwitch() {
  const { keys, mode } = useSession();
  const texts = frameTexts.mode;
  const choose = (wish: string) => {
    if (keys[wish as Mode] === undefined) addKeyStore.set(true);
    else switchMode(wish as Mode);
  };
  return (
    <Tooltip label={mode === 'test' ? texts.testHint : texts.liveHint} position="right">
      <SegmentedControl
        size="xs"
        value={mode}
        onChange={choose}
        aria-label={texts.label}
        style={mode === 'live' ? LIVE : undefined}
        data={[
          { value: 'test', label: texts.test },
          { value: 'live', label: texts.live },
        ]}
      />
    </Tooltip>
  );
}
