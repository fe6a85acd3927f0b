import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown for an empty list: what belongs here, and how to add it. */
export function EmptyState({
  title,
  text,
  icon,
  action,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" justify="center" gap="md" mih="50dvh" px="lg" py="xl" ta="center">
      {icon}
      <Title order={2} style={{ textWrap: 'balance' }}>
        {title}
      </Title>
      <Text c="dimmed" maw="46ch" style={{ textWrap: 'pretty' }}>
        {text}
      </Text>
      {children}
      {action}
    </Stack>
  );
}
