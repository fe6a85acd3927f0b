import { Alert, Stack } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { frameTexts } from '../../../texts/frame.ts';
import { AccountsPanel } from './accounts-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';

/** Keys and accounts. */
export function KeysView() {
  // The accounts are rendered after the keys, so that they do not jump.
  const keys = useApi('GET /admin/v1/keys', { query: {} });
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
      <KeysPanel onNotice={setNotice} />
      {!keys.isPending && <AccountsPanel onNotice={setNotice} />}
    </Stack>
  );
}
