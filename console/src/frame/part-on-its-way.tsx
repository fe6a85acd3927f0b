import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { askNow, untilAnswering } from '../api/connection.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { loadAgain } from '../components/lazy-part.ts';
import { frameTexts } from '../texts/frame.ts';

/** Shown for a part that could not be loaded; loads it as soon as the service answers. */
export function PartOnItsWay() {
  const [asking, setAsking] = useState(false);
  const [gaveUp, setGaveUp] = useState(false);
  useEffect(() => {
    let isShown = true;
    void untilAnswering().then(() => {
      if (isShown && !loadAgain()) setGaveUp(true);
    });
    return () => {
      isShown = false;
    };
  }, []);
  const tryNow = async () => {
    setAsking(true);
    await askNow();
    setAsking(false);
  };
  const { title, text, action, again } = frameTexts.partMissing;
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title={title}
      text={gaveUp ? again : text}
      action={action}
      isBusy={asking}
      onAction={() => (gaveUp ? location.reload() : void tryNow())}
    />
  );
}
