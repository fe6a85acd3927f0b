import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, messageOf } from '../api/api-error.ts';
import { frameTexts } from '../texts/frame.ts';

/** An error where it occurred: the service's message, always in English, and a button to retry. */
export function ErrorNote({
  error,
  title = frameTexts.failed,
  onRetry,
}: {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
}) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert variant="light" color="red" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      <Text size="sm" {...(requestId === null ? {} : { lang: 'en' })}>
        {messageOf(error)}
      </Text>
      {requestId !== null && (
        <Text size="xs" c="dimmed" ff="monospace" mt={4}>
          {requestId}
        </Text>
      )}
      {onRetry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {frameTexts.tryAgain}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
