import { Group, Skeleton, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { messageOf } from '../api/api-error.ts';
import { connectionStore } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { useNow } from '../api/use-now.ts';
import { formatAge } from '../format.ts';
import { frameTexts } from '../texts/frame.ts';
import classes from './as-seen.module.css';
import { SmallButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

/** An answer that is read again: the last one, and the error of the latest attempt. */
export interface Sight<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** Milliseconds since 1970 when the data was read; 0 = not yet. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

const OldContext = createContext(false);

/** Tells whether the latest attempt to read what surrounds the caller has failed, or the service does not answer. */
export function useIsOld(): boolean {
  const isDown = useStore(connectionStore) === 'down';
  return useContext(OldContext) || isDown;
}

/** Joins answers that are shown together. Their age is that of the oldest one. */
export function together<Data extends readonly unknown[]>(
  ...sights: { readonly [Place in keyof Data]: Sight<Data[Place]> }
): Sight<Data> {
  const all: readonly Sight<unknown>[] = sights;
  return {
    data: all.every(({ data }) => data !== undefined) ? (all.map(({ data }) => data) as unknown as Data) : undefined,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: Math.min(...all.map((one) => one.dataUpdatedAt)),
    refetch: () => all.map(({ refetch }) => refetch()),
  };
}

/**
 * Shows an answer that is read again. If reading fails, the last answer stays, below a line with its age; its buttons
 * are off, and no part of it is marked as good. An error stands instead only if nothing was ever read.
 */
export function AsSeen<Data>({
  of: { data, error, dataUpdatedAt, refetch },
  title,
  placeholder = null,
  children,
}: {
  readonly of: Sight<Data>;
  /** Title of the error if nothing was read. */
  readonly title?: string;
  readonly placeholder?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) {
  const isDown = useStore(connectionStore) === 'down';
  if (data === undefined)
    return error === null ? placeholder : <ErrorNote title={title} error={error} onRetry={() => void refetch()} />;
  const isOld = error !== null || isDown;
  return (
    <OldContext value={isOld}>
      {isOld && <OldLine at={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      <fieldset className={classes.whole} role="presentation" disabled={isOld}>
        {children(data)}
      </fieldset>
    </OldContext>
  );
}

/** A form that begins with what was read since it was opened. A later error does not replace it. */
export function AsSetNow<Data>({
  of: { data, error, dataUpdatedAt, refetch },
  children,
}: {
  readonly of: Sight<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const [openedAt] = useState(Date.now);
  if (data !== undefined && dataUpdatedAt >= openedAt) return children(data);
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return <Skeleton h={180} aria-hidden="true" />;
}

function OldLine({
  at,
  error,
  onRetry,
}: {
  readonly at: number;
  readonly error: Error | null;
  readonly onRetry: () => void;
}) {
  const now = useNow(1_000);
  return (
    <Group className={classes.old ?? ''} gap="sm">
      <Text size="sm" className="figures">{`Not read for ${formatAge((now - at) / 1000)}.`}</Text>
      {error !== null && (
        <>
          <Text size="sm" role="status">
            {messageOf(error)}
          </Text>
          <SmallButton onClick={onRetry}>{frameTexts.tryAgain}</SmallButton>
        </>
      )}
    </Group>
  );
}
