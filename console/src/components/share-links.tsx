import type { TaskView as Task } from '@darkroom-service/contract';
import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { perform, useDeed } from '../api/deeds.ts';
import type { DataOf } from '../api/operations.ts';
import { useApi } from '../api/use-api.ts';
import { formatCount, formatMinute } from '../format.ts';
import { CopyField } from './copy-action.tsx';
import { ErrorNote } from './error-note.tsx';
import { Agreement } from './inputs.tsx';
import { Hint, Small } from './words.tsx';

type Share = DataOf<'GET /v1/shares'>['items'][number];

const MAKE = 'Make a link';
const SPANS = [
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];
const DEFAULT_SPAN = '604800';
/** Maximum number of listed links: more than a person creates for one result. The API lists the others. */
const SHOWN = 100;

/** Creates a link to one or several results, and lists and revokes the existing links. */
export function ShareLinks({ tasks }: { readonly tasks: readonly Pick<Task, 'task_id' | 'expires_at'>[] }) {
  const ids = tasks.map((task) => task.task_id);
  const [only = ''] = ids;
  const isList = ids.length > 1;
  const [span, setSpan] = useState(DEFAULT_SPAN);
  const [showsPrompt, setShowsPrompt] = useState(false);
  const makeButton = useRef<HTMLButtonElement>(null);
  const heading = isList ? 'Links to several results' : 'Links to this result';
  const links = useApi('GET /v1/shares', {
    query: isList ? { limit: SHOWN } : { task_id: only, limit: SHOWN },
  });
  const shown = links.data?.items.filter((share) => !isList || share.task_ids.length > 1);
  const make = useDeed(() =>
    perform(
      'POST /v1/shares',
      {
        body: {
          ...(isList ? { task_ids: ids } : { task_id: only }),
          expires_in: Number(span),
          show_prompt: showsPrompt,
        },
      },
      `${MAKE}: ${isList ? `${formatCount(ids.length)} results` : only}`,
    ),
  );
  const revoke = useDeed(
    (shareId: string) => perform('DELETE /v1/shares/{share_id}', { path: { share_id: shareId } }),
    // The button that had the focus is gone.
    () => makeButton.current?.focus(),
  );
  // After a lost answer, an older list does not prove that there is no link.
  const isCurrent = links.error === null && (make.error === null || links.dataUpdatedAt > make.submittedAt);
  const lastExpiry =
    tasks
      .map((task) => task.expires_at)
      .sort()
      .at(-1) ?? '';
  const isCut = Date.parse(lastExpiry) < Date.now() + Number(span) * 1000;
  return (
    <Stack>
      <Text size="sm">
        {isList
          ? `Everyone who has the link can see and download these ${formatCount(ids.length)} results, without a key. Orders that come later are not added. The files are shared as they are, also with data that their engines wrote into them.`
          : 'Everyone who has the link can see and download the result, without a key. The file is shared as it is, also with data that its engine wrote into it.'}
      </Text>
      <Select
        label="Works for"
        allowDeselect={false}
        data={SPANS}
        value={span}
        onChange={(value) => setSpan(value ?? DEFAULT_SPAN)}
        {...(isCut ? { description: `No longer than the files are kept: until ${formatMinute(lastExpiry)}.` } : {})}
      />
      <Agreement label="Show the prompt, too" value={showsPrompt} onChange={setShowsPrompt} />
      <Button ref={makeButton} loading={make.isPending} onClick={() => make.mutate()}>
        {MAKE}
      </Button>
      <Text size="sm" role="status" hidden={!make.isSuccess && !revoke.isSuccess}>
        {make.isSuccess ? 'The link is ready. Copy it below.' : revoke.isSuccess ? 'The link no longer works.' : ''}
      </Text>
      <ErrorNote title="The link was not made" error={make.error} />
      <ErrorNote title="The link was not revoked" error={revoke.error} />
      <ErrorNote title="Could not read the links" error={links.error} />
      {shown !== undefined && (
        <section aria-label={heading}>
          <Title order={3} size="h5" mb={6}>
            {heading}
          </Title>
          {shown.length === 0 && isCurrent && (
            <Hint>{isList ? 'There are no links to several results.' : 'There are no links to this result.'}</Hint>
          )}
          <Stack gap="sm">
            {shown.map((share) => (
              <ShareLink
                key={share.share_id}
                share={share}
                isBusy={revoke.isPending}
                onRevoke={() => {
                  make.reset();
                  revoke.mutate(share.share_id);
                }}
              />
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}

function ShareLink({
  share,
  isBusy,
  onRevoke,
}: {
  readonly share: Share;
  readonly isBusy: boolean;
  readonly onRevoke: () => void;
}) {
  const until = formatMinute(share.expires_at);
  return (
    <div>
      <CopyField name={`Link, until ${until}`} value={share.url} label="Copy the link" />
      <Group justify="space-between" wrap="nowrap" mt={4}>
        <Small>
          Until {until}, {share.task_ids.length > 1 && `${formatCount(share.task_ids.length)} results, `}
          {share.show_prompt ? 'with the prompt' : 'without the prompt'}
        </Small>
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          disabled={isBusy}
          aria-label={`Revoke the link that works until ${until}`}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      </Group>
    </div>
  );
}
