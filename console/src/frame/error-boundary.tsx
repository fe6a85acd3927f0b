import { Code } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { messageOf } from '../api/api-error.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { PartMissing } from '../components/lazy-part.ts';
import { frameTexts } from '../texts/frame.ts';
import { PartOnItsWay } from './part-on-its-way.tsx';

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
