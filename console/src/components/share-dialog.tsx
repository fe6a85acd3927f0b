import { IconShare } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { PlainButton } from './buttons.ts';
import { DialogAbout } from './dialog.tsx';

/** A button and the dialog that it opens, for links to results. Its content is mounted while it is open. */
export function ShareDialog({
  label,
  title,
  className = '',
  children,
}: {
  readonly label: string;
  readonly title: string;
  /** Of the button. */
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PlainButton
        className={className}
        leftSection={<IconShare size={16} aria-hidden="true" />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {label}
      </PlainButton>
      <DialogAbout about={isOpen ? title : null} title={(about) => about} onClose={() => setOpen(false)}>
        {() => <Suspense>{children}</Suspense>}
      </DialogAbout>
    </>
  );
}
