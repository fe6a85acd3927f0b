import { Text } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '../../api/operations.ts';
import { nearUrl } from '../../api/service-url.ts';
import { usePages } from '../../api/use-pages.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { Segments } from '../../components/segments.tsx';
import { Small } from '../../components/words.ts';
import { formatMoment } from '../../format.ts';
import { teamTexts } from '../../texts/team.ts';
import classes from './team.module.css';

type AccountTask = DataOf<'GET /v1/account/tasks'>['items'][number];
const texts = teamTexts.orders;
const PAGE_SIZE = 24;

/** The orders of everybody in the account, to look at. */
export function AccountOrders() {
  const [type, setType] = useState<'image' | 'video'>('image');
  return (
    <ListPanel
      pages={usePages('GET /v1/account/tasks', { type, limit: PAGE_SIZE }, ({ task }) => task.task_id)}
      title={texts.title}
      hint={texts.hint}
      aside={<Segments label={texts.types.label} words={texts.types.words} size="xs" value={type} onChange={setType} />}
      empty={texts.empty}
    >
      {(items) => (
        <ul className={classes.orders}>
          {items.map((item) => (
            <Order key={item.task.task_id} item={item} />
          ))}
        </ul>
      )}
    </ListPanel>
  );
}

function Order({ item: { task, ordered_by } }: { readonly item: AccountTask }) {
  const output = task.outputs[0];
  const prompt = typeof task.input?.prompt === 'string' ? task.input.prompt : task.task_id;
  const picture =
    output?.thumbnail_url == null ? (
      <span className={classes.blank}>{task.status}</span>
    ) : (
      <img className={classes.picture} src={nearUrl(output.thumbnail_url)} alt={prompt} loading="lazy" />
    );
  return (
    <li>
      {output === undefined ? (
        picture
      ) : (
        <a href={nearUrl(output.url)} target="_blank" rel="noreferrer">
          {picture}
        </a>
      )}
      <Text size="sm" lineClamp={2} mt={4}>
        {prompt}
      </Text>
      <Small>
        {texts.by(ordered_by.name)} · {formatMoment(task.created_at)}
      </Small>
    </li>
  );
}
