import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The head of a page: what it is, what it is for, and what can be done with all of it. */
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
