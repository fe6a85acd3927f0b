import { Box, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { CatalogModel } from '../../api/model.ts';
import { useSession } from '../../api/session.ts';
import { CopyAction } from '../../components/copy-action.tsx';
import { Small } from '../../components/words.ts';
import classes from './code-panel.module.css';
import { bodyOf, type Draft } from './draft.ts';
import { LANGUAGES, type Language, requestCode } from './request-code.ts';

/** The order as code. */
export function CodePanel({
  model,
  draft,
  title = 'The same request as code',
  hint = 'It updates as you type.',
}: {
  readonly model: CatalogModel | undefined;
  readonly draft: Draft;
  readonly title?: string;
  readonly hint?: string;
}) {
  const [language, setLanguage] = useState<Language>('curl');
  const { mode } = useSession();
  const path = model?.type === 'video' ? '/v1/videos' : '/v1/images';
  const code = requestCode(language, path, bodyOf(draft, mode));
  return (
    <section className={classes.panel} aria-label={title}>
      <Group justify="space-between" px={18} pt={14} pb={10}>
        <div>
          <Text ff="heading" fz="lg" lh={1.2}>
            {title}
          </Text>
          <Small>
            {hint} DARKROOM_API_KEY is your {mode} key.
          </Small>
        </div>
        <Group gap={4}>
          <SegmentedControl
            size="xs"
            value={language}
            onChange={(next) => setLanguage(next as Language)}
            data={[...LANGUAGES]}
            aria-label={title}
          />
          <CopyAction value={code} label={`Copy as ${language}`} />
        </Group>
      </Group>
      <Box component="pre" className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </Box>
    </section>
  );
}
