import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, isOutcomeUnknown, messageOf } from '../api/api-error.ts';
import { frameTexts } from '../texts/frame.ts';
import { SmallButton } from './buttons.ts';
import { Small } from './words.ts';

/** An error where it occurred: the service's message, and a button to retry. Nothing while there is none. */
export function ErrorNote({
  error,
  title = frameTexts.failed,
  unknown = frameTexts.answerLost,
  onRetry,
}: {
  /** Null = none. */
  readonly error: unknown;
  readonly title?: string | undefined;
  /** The title if it is not known whether a deed was done. */
  readonly unknown?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  if (error === null) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={isOutcomeUnknown(error) ? unknown : title}
      role="alert"
    >
      <Text size="sm" className="free-text">
        {messageOf(error)}
      </Text>
      {requestId !== null && (
        <Small ff="monospace" mt={4}>
          {requestId}
        </Small>
      )}
      {onRetry !== undefined && (
        <Group mt="sm">
          <SmallButton onClick={onRetry}>{frameTexts.tryAgain}</SmallButton>
        </Group>
      )}
    </Alert>
  );
}
