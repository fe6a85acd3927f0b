import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Button, Kbd, Table, Title } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import classes from '../../components/compare/compare.module.css';
import { useFilmsInStep } from '../../components/compare/films-in-step.ts';
import { FullDialog } from '../../components/compare/full-dialog.tsx';
import { Picture } from '../../components/compare/picture.tsx';
import { seedOf } from '../../components/task-facts.ts';
import { Hint, Small } from '../../components/words.ts';
import { formatShare } from '../../format.ts';
import { lightTexts } from '../../texts/light.ts';
import { type BlindPair, drawPairs, rankOf, ranksModels, type Verdict } from './blind-ranking.ts';
import type { TableLayout } from './table-layout.ts';

const texts = lightTexts.blind;
const KEYS: Readonly<Record<string, Verdict>> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowDown: 'same' };

/** Shows results in pairs without their models, asks which is better, and ranks at the end. */
export function CompareBlind({
  layout,
  nameOf,
  onClose,
}: {
  readonly layout: TableLayout;
  readonly nameOf: (modelId: string) => string;
  readonly onClose: () => void;
}) {
  const [pairs, setPairs] = useState(() => drawPairs(layout));
  const [verdicts, setVerdicts] = useState<readonly Verdict[]>([]);
  const [isOver, setOver] = useState(false);
  const pair = isOver ? undefined : pairs[verdicts.length];
  const judge = (verdict: Verdict) => setVerdicts([...verdicts, verdict]);
  const judged = verdicts.map((verdict, index) => ({ ...pairs[index]!, verdict }));
  useWindowEvent('keydown', (event) => {
    const verdict = KEYS[event.key];
    if (pair === undefined || verdict === undefined) return;
    event.preventDefault();
    judge(verdict);
  });
  const isStacked = useStacked();
  const contestantOf = (task: Task) =>
    ranksModels(layout) ? nameOf(task.model_id) : `${nameOf(task.model_id)} · ${describe(layout, task)}`;
  return (
    <FullDialog title={pair === undefined ? texts.ranking : texts.title} onClose={onClose}>
      {pair === undefined ? (
        <Ranking
          judged={judged}
          contestantOf={contestantOf}
          onAgain={() => {
            setPairs(drawPairs(layout));
            setVerdicts([]);
            setOver(false);
          }}
        />
      ) : (
        <>
          <Hint role="status">
            {texts.lead} {texts.progress(verdicts.length + 1, pairs.length)}
          </Hint>
          <Pair key={verdicts.length} pair={pair} onJudge={judge} />
          <div className={classes.answers}>
            <PlainButton onClick={() => judge('left')} rightSection={<Kbd size="xs">←</Kbd>} data-autofocus>
              {isStacked ? texts.upper : texts.left}
            </PlainButton>
            <PlainButton onClick={() => judge('same')} rightSection={<Kbd size="xs">↓</Kbd>}>
              {texts.same}
            </PlainButton>
            <PlainButton onClick={() => judge('right')} rightSection={<Kbd size="xs">→</Kbd>}>
              {isStacked ? texts.lower : texts.right}
            </PlainButton>
            <Button variant="subtle" color="gray" onClick={() => setOver(true)}>
              {texts.finish}
            </Button>
          </div>
        </>
      )}
    </FullDialog>
  );
}

/** Whether the pictures stand one above the other, as the styles have it. */
function useStacked(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}

function Pair({ pair, onJudge }: { readonly pair: BlindPair; readonly onJudge: (verdict: Verdict) => void }) {
  const root = useRef<HTMLDivElement>(null);
  const films = useFilmsInStep(root);
  const isStacked = useStacked();
  const isFilm = pair.left.type === 'video';
  const choice = (side: 'left' | 'right', alt: string) => (
    <button type="button" className={classes.choice} onClick={() => onJudge(side)}>
      <Picture task={pair[side]} alt={alt} />
    </button>
  );
  return (
    <>
      <div className={classes.pair} ref={root}>
        {choice('left', isStacked ? texts.upperAlt : texts.leftAlt)}
        {choice('right', isStacked ? texts.lowerAlt : texts.rightAlt)}
      </div>
      {isFilm && (
        <div className={classes.answers}>
          <SmallButton onClick={films.toggle}>
            {films.isPlaying ? lightTexts.compare.pause : lightTexts.compare.play}
          </SmallButton>
        </div>
      )}
    </>
  );
}

function Ranking({
  judged,
  contestantOf,
  onAgain,
}: {
  readonly judged: readonly (BlindPair & { readonly verdict: Verdict })[];
  readonly contestantOf: (task: Task) => string;
  readonly onAgain: () => void;
}) {
  const ranks = rankOf(judged, contestantOf);
  return (
    <div className={classes.ranking}>
      <div role="status">
        <Title order={2} size="h3" mb="xs">
          {ranks.length === 0 ? texts.noPairs : texts.rankingOf(judged.length)}
        </Title>
      </div>
      {ranks.length > 0 && (
        <Table aria-label={texts.ranking} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.place}</Table.Th>
              <Table.Th>{texts.contestant}</Table.Th>
              <Table.Th ta="right">{texts.wins}</Table.Th>
              <Table.Th ta="right">{texts.ties}</Table.Th>
              <Table.Th ta="right">{texts.losses}</Table.Th>
              <Table.Th ta="right">{texts.share}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="figures">
            {ranks.map(({ contestant, wins, ties, losses, score }) => (
              <Table.Tr key={contestant}>
                <Table.Td>{1 + ranks.filter((other) => other.score > score).length}</Table.Td>
                <Table.Td>{contestant}</Table.Td>
                <Table.Td ta="right">{wins}</Table.Td>
                <Table.Td ta="right">{ties}</Table.Td>
                <Table.Td ta="right">{losses}</Table.Td>
                <Table.Td ta="right">{formatShare(score)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Small my="sm">{texts.shareHint}</Small>
      <PlainButton onClick={onAgain}>{texts.again}</PlainButton>
    </div>
  );
}

/** Returns the settings of a result's row; its seed if the row has none. */
function describe(layout: TableLayout, task: Task): string {
  const row = layout.rows.find(({ tasks }) => tasks.includes(task));
  const words = [row?.prompt ?? '', ...(row?.settings ?? [])].filter((word) => word !== '');
  return words.length > 0 ? words.join(', ') : lightTexts.table.seed(String(seedOf(task) ?? lightTexts.table.random));
}
