import { Code } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { askNow, untilAnswering } from '../api/connection.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { loadAgain, PartMissing } from '../components/lazy-part.ts';

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
      <EmptyState
        title="This page has crashed"
        text="No order is lost. Load the page again. If it crashes again, send this message to the operator."
        action="Load again"
        onAction={() => location.reload()}
      >
        <Code>{messageOf(this.state.error)}</Code>
      </EmptyState>
    );
  }
}

/** Shown for a part that could not be loaded; reloads as soon as the service answers. */
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
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      title="This page has not loaded yet"
      text={
        gaveUp
          ? 'The service answers, but this page could not be loaded. An upgrade may be in progress: try again in a moment.'
          : 'The page comes from the service, which is not answering. The console keeps retrying and opens the page once it has loaded. What you typed is kept.'
      }
      action="Try now"
      isBusy={asking}
      onAction={() => (gaveUp ? location.reload() : void tryNow())}
    />
  );
}
