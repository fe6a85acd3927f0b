import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';
import { PlainButton } from './buttons.ts';
import { ErrorNote } from './error-note.tsx';

interface Deed {
  readonly error: Error | null;
  readonly isPending: boolean;
}
/** The deed is done as it is, or `onSubmit` does it with what it needs. */
type Submission =
  | { readonly deed: Deed & { readonly mutate: () => void }; readonly onSubmit?: undefined }
  | { readonly deed: Deed; readonly onSubmit: () => void };

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
}: Submission & {
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
    if (!isReady) return;
    if (onSubmit !== undefined) onSubmit();
    else if ('mutate' in deed) deed.mutate();
  };
  return (
    <form onSubmit={send}>
      <Stack>
        {children}
        <ErrorNote title={failed} unknown={unknown} error={deed.error} />
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
