import { Alert, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { frameTexts } from '../../texts/frame.ts';

/** Panels, and above them what was last done. */
export function WithNotice({ children }: { readonly children: (tell: (text: string) => void) => ReactNode }) {
  const [notice, setNotice] = useState<string | null>(null);
  return (
    <Stack gap="lg">
      {notice !== null && (
        <Alert
          color="green"
          variant="light"
          role="status"
          withCloseButton
          closeButtonLabel={frameTexts.close}
          onClose={() => setNotice(null)}
        >
          {notice}
        </Alert>
      )}
      {children(setNotice)}
    </Stack>
  );
}
