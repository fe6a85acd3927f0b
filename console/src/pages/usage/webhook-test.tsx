import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import { SmallButton } from '../../components/buttons.ts';
import { Fault } from '../../components/words.ts';
import { usageTexts } from '../../texts/usage.ts';

const texts = usageTexts.webhooks;

/** Sends one signed test event to a URL and shows what the receiver answered. */
export function WebhookTest({ url }: { readonly url: string }) {
  const test = useMutation({
    mutationFn: () => perform('POST /v1/account/webhooks/test', { body: url === '' ? {} : { url } }, texts.test),
  });
  const { data, error } = test;
  return (
    <div>
      <SmallButton disabled={url === ''} loading={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </SmallButton>
      {data !== undefined && (
        <Text size="sm" mt={6} role="status" c={data.delivered ? 'dimmed' : 'var(--mantine-color-error)'}>
          {data.delivered ? texts.testAccepted(data.response_status ?? 0, data.duration_ms) : data.error}
        </Text>
      )}
      {error !== null && <Fault mt={6}>{error.message}</Fault>}
    </div>
  );
}
