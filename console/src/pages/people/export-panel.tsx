import { Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { saveAnswer } from '../../api/save-answer.ts';
import { useDeed } from '../../api/use-deed.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Hint } from '../../components/words.ts';
import { formatMinute } from '../../format.ts';
import { privacyTexts } from '../../texts/privacy.ts';
import { bodyOf, NOBODY, SubjectFields } from './subject-fields.tsx';

const texts = privacyTexts.exports;
type Export = DataOf<'POST /admin/v1/exports'>;

/** Begins an export, and downloads its archives. */
export function ExportPanel() {
  const [subject, setSubject] = useState(NOBODY);
  const begin = useDeed(() => perform('POST /admin/v1/exports', { body: bodyOf(subject) }, texts.title));
  return (
    <Panel
      title={texts.title}
      hint="What is stored of an account, or of one end user of all its keys: orders, files, ledger."
    >
      <Stack>
        <SubjectFields
          subject={subject}
          onChange={(wish) => {
            setSubject(wish);
            begin.reset();
          }}
        />
        <ErrorNote
          title="The export was not begun"
          unknown="It is not known whether the export was begun"
          error={begin.error}
        />
        {begin.data === undefined ? (
          <div>
            <PlainButton disabled={subject.account === null} loading={begin.isPending} onClick={() => begin.mutate()}>
              Begin the export
            </PlainButton>
          </div>
        ) : (
          <Archives begun={begin.data} />
        )}
      </Stack>
    </Panel>
  );
}

/** The archives of an export, one after the other: each names the next. */
function Archives({ begun }: { readonly begun: Export }) {
  const [saved, setSaved] = useState(0);
  const [next, setNext] = useState<string | null>('');
  const save = useMutation({
    mutationFn: async (after: string) => {
      const headers = await saveAnswer(
        'GET /admin/v1/exports/{export_id}/archive',
        { path: { export_id: begun.export_id }, query: after === '' ? {} : { after } },
        `${begun.export_id}-${saved + 1}.zip`,
      );
      return headers.get('darkroom-next');
    },
    onSuccess: (after) => {
      setSaved(saved + 1);
      setNext(after);
    },
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Group gap="sm">
        {next !== null && (
          <SmallButton
            leftSection={<IconDownload size={15} aria-hidden="true" />}
            loading={save.isPending}
            onClick={() => save.mutate(next)}
          >
            {texts.download(saved + 1)}
          </SmallButton>
        )}
        <Text size="sm" role="status">
          {next === null
            ? saved === 1
              ? 'That was all, in 1 archive.'
              : `That was all, in ${saved} archives.`
            : `It can be downloaded until ${formatMinute(begun.expires_at)}.`}
        </Text>
      </Group>
      <Hint>{begun.export_id}</Hint>
      <ErrorNote title="The archive was not downloaded" error={save.error} />
    </Stack>
  );
}
