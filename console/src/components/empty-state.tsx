import { Button, Stack, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** Shown for an empty list: explains the list's contents, and how to add some. */
export function EmptyState({
  title,
  text,
  icon: Picture,
  color = 'var(--accent)',
  action,
  href,
  onAction,
  isBusy = false,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly icon?: Icon | (() => ReactNode);
  /** Colour of the icon. */
  readonly color?: string;
  /** Label of its button, which leads to `href` or calls `onAction`; or other buttons. */
  readonly action?: ReactNode;
  readonly href?: string;
  readonly onAction?: () => void;
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" justify="center" gap="md" mih="50dvh" px="lg" py="xl" ta="center">
      {Picture !== undefined && <Picture size={44} stroke={1.2} color={color} aria-hidden="true" />}
      <Title order={2} style={{ textWrap: 'balance' }}>
        {title}
      </Title>
      <Text c="dimmed" maw="46ch" style={{ textWrap: 'pretty' }}>
        {text}
      </Text>
      {children}
      {href !== undefined ? (
        <Button component={Link} href={href}>
          {action}
        </Button>
      ) : onAction !== undefined ? (
        <Button loading={isBusy} onClick={onAction}>
          {action}
        </Button>
      ) : (
        action
      )}
    </Stack>
  );
}
