import { Code } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { askNow, untilAnswering } from '../api/connection.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { loadAgain, PartMissing } from '../components/lazy-part.ts';
import { frameTexts } from '../texts/frame.ts';

interface Props {
  readonly children: ReactNode;
}

/** Shows an error instead of a blank page. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    if (this.state.error instanceof PartMissing) return <PartOnItsWay />;
    return (
      <EmptyState {...frameTexts.crashed} onAction={() => location.reload()}>
        <Code>{messageOf(this.state.error)}</Code>
      </EmptyState>
    );
  }
}

/** Shown for a part that could not be loaded; loads it as soon as the service answers. */
function PartOnItsWay() {
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
