import { CopyButton, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.ts';
import { IconButton } from './icon-button.tsx';

/** Copies a text; the label names the text. */
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

/** A text to use elsewhere, with a button that copies it. The text is selected as soon as it has the focus. */
export function CopyField({
  name,
  value,
  label,
}: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
}) {
  return (
    <TextInput
      readOnly
      aria-label={name}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      rightSection={<CopyAction value={value} label={label} />}
    />
  );
}
