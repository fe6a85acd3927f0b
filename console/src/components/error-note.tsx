import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError, isOutcomeUnknown, messageOf } from '../api/api-error.ts';
import { frameTexts } from '../texts/frame.ts';
import { SmallButton } from './buttons.ts';
import { Small } from './words.tsx';

/** An error where it occurred: the service's message, and a retry button. Empty without an error. */
export function ErrorNote({
  error,
  title = frameTexts.failed,
  onRetry,
}: {
  /** Null = none. */
  readonly error: unknown;
  /** Title such as `The key was not changed`; if the outcome is unknown, it says that instead. */
  readonly title?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  if (error === null) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={isOutcomeUnknown(error) ? doubtOf(title) : title}
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

/** Converts a title: `The key was not changed` -> `It is not known whether the key was changed` */
function doubtOf(title: string): string {
  const [, subject = '', verb, action] = /^(.+) (is|are|was|were) not (.+)$/.exec(title) ?? [];
  if (action === undefined) return frameTexts.answerLost;
  return `It is not known whether ${subject.charAt(0).toLowerCase()}${subject.slice(1)} ${verb} ${action}`;
}
