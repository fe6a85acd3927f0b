import { Stack } from '@mantine/core';
import { useMay } from '../../api/may.ts';
import { ErasuresPanel } from './erasures-panel.tsx';
import { ExportPanel } from './export-panel.tsx';

/** What is stored of an account or an end user: its export and its erasure. */
export function PrivacyView() {
  const may = useMay();
  return (
    <Stack gap="lg">
      {may('POST /admin/v1/exports') && <ExportPanel />}
      <ErasuresPanel />
    </Stack>
  );
}
