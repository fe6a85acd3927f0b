import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

/** What a dialog asks before a deed: fields or a question, why the last attempt failed, and the buttons. */
export function DialogForm({
  deed,
  texts,
  isReady = true,
  isGrave = false,
  aside,
  onSubmit,
  onClose,
  children,
}: {
  readonly deed: { readonly error: Error | null; readonly isPending: boolean };
  readonly texts: {
    readonly submit: string;
    readonly failed?: string;
    /** The title if it is not known whether it was done. */
    readonly unknown?: string;
    /** The label of the button that closes the dialog. */
    readonly keep?: string;
  };
  /** Whether it can be submitted. */
  readonly isReady?: boolean;
  /** Whether it cannot be undone. */
  readonly isGrave?: boolean;
  /** A button at the beginning of their line. */
  readonly aside?: ReactNode;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const {
    submit,
    keep = frameTexts.cancel,
    failed = frameTexts.failed,
    unknown = frameTexts.outcomeUnknown.title,
  } = texts;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSubmit();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        {deed.error !== null && <ErrorNote title={failed} unknown={unknown} error={deed.error} />}
        <Group justify="flex-end">
          {aside}
          <PlainButton onClick={onClose}>{keep}</PlainButton>
          <Button type="submit" loading={deed.isPending} disabled={!isReady} {...(isGrave ? { color: 'red' } : {})}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
