import { Alert, Button, Text } from '@mantine/core';
import { isUnreachable } from '../../api/api-error.ts';
import { frameTexts } from '../../texts/frame.ts';
import { studioTexts } from '../../texts/studio.ts';
import type { Ordering } from './use-ordering.ts';

/** Why the last order was not taken, or that nobody knows. */
export function OrderFault({ ordering: { refusal, repeat, dismiss } }: { readonly ordering: Ordering }) {
  if (refusal === null) return null;
  const unknown = isUnreachable(refusal);
  return (
    <Alert
      variant="light"
      color="red"
      p="sm"
      role="alert"
      title={unknown ? studioTexts.orderUnknown : studioTexts.orderFailed}
      withCloseButton
      onClose={dismiss}
      closeButtonLabel={frameTexts.close}
    >
      <Text size="sm">{unknown ? studioTexts.orderUnknownHint : refusal.message}</Text>
      {(unknown || refusal.retryable) && (
        <Button size="xs" variant="default" mt={8} onClick={repeat}>
          {frameTexts.tryAgain}
        </Button>
      )}
    </Alert>
  );
}
