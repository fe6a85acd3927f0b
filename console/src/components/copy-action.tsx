import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.ts';
import { SmallButton } from './buttons.ts';
import { IconButton } from './icon-button.tsx';

/** Copies a text; the label says which. */
export function CopyAction({ value, label = 'Copy' }: { readonly value: string; readonly label?: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <IconButton label={copied ? frameTexts.copied : label} onClick={copy}>
          {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </IconButton>
      )}
    </CopyButton>
  );
}

/** The same as a button with its label. */
export function CopyTextButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <SmallButton onClick={copy} leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}>
          {copied ? frameTexts.copied : label}
        </SmallButton>
      )}
    </CopyButton>
  );
}
