import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { rememberAnswer, useApi } from '../../api/use-api.ts';
import { SmallButton } from '../../components/buttons.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { Fault, Small } from '../../components/words.ts';
import { formatMinute } from '../../format.ts';
import { usageTexts } from '../../texts/usage.ts';

const texts = usageTexts.webhooks;

/** The signing secret of webhooks: shown on demand, and rotated without a gap. */
export function WebhookSecret({ mayChange }: { readonly mayChange: boolean }) {
  const [shown, setShown] = useState(false);
  const secrets = useApi('GET /v1/account/webhooks/secret', {}, { enabled: shown });
  const rotate = useMutation({
    mutationFn: () => perform('POST /v1/account/webhooks/secret/rotate', { body: {} }, texts.rotate),
    onSuccess: (data) => {
      rememberAnswer('GET /v1/account/webhooks/secret', {}, data);
      setShown(true);
    },
  });
  const fault = secrets.error ?? rotate.error;
  return (
    <div>
      <Text size="sm" fw={500}>
        Signing secret
      </Text>
      <Small mb={8}>Verify every webhook with it, as Standard Webhooks describes.</Small>
      {shown &&
        secrets.data?.items.map(({ secret, valid_until: until }) => (
          <Group gap="2px 6px" fz={13} className="free-text" key={secret}>
            <code>{secret}</code>
            <CopyAction value={secret} label="Copy the secret" />
            {until !== null && <Small>{`also signs until ${formatMinute(until)}`}</Small>}
          </Group>
        ))}
      {fault !== null && <Fault>{fault.message}</Fault>}
      <Group gap="xs" mt={shown ? 8 : 0}>
        <SmallButton loading={secrets.isFetching} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </SmallButton>
        {mayChange && (
          <SmallButton loading={rotate.isPending} onClick={() => rotate.mutate()}>
            {texts.rotate}
          </SmallButton>
        )}
      </Group>
    </div>
  );
}
