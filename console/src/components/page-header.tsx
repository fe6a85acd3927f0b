import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The header of a page: title, purpose and actions. */
export function PageHeader({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg">
      <Stack gap={4}>
        <Title order={1}>{title}</Title>
        {lead !== undefined && <Text c="dimmed">{lead}</Text>}
      </Stack>
      {children}
    </Group>
  );
}
