import type { TaskView as Task } from '@darkroom-service/contract/task';
import { hasResult } from '../../components/task-facts.ts';
import type { TableLayout } from './table-layout.ts';

/** Two results to be compared without their names. */
export interface BlindPair {
  readonly left: Task;
  readonly right: Task;
}

export type Verdict = 'left' | 'right' | 'same';

/** How often a contestant was better, the same or worse. */
export interface Rank {
  readonly contestant: string;
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** Share of its pairs that it won; a tie counts half. */
  readonly score: number;
}

export const MOST_PAIRS = 30;

/** Models are ranked; with a single model, its results are. */
export function ranksModels(layout: TableLayout): boolean {
  return new Set(layout.columns.map(({ modelId }) => modelId)).size > 1;
}

/**
 * Returns pairs in random order, on random sides: results of the same row, so that only the model differs; with a
 * single model, any two results.
 */
export function drawPairs(layout: TableLayout, random: () => number = Math.random): readonly BlindPair[] {
  const groups = ranksModels(layout)
    ? layout.rows.map(({ tasks }) => tasks.filter(hasResult))
    : [layout.rows.flatMap(({ tasks }) => tasks.filter(hasResult))];
  const pairs = groups.flatMap((tasks) =>
    tasks.flatMap((one, index) =>
      tasks
        .slice(index + 1)
        .filter((other) => !ranksModels(layout) || other.model_id !== one.model_id)
        .map((other) => (random() < 0.5 ? { left: one, right: other } : { left: other, right: one })),
    ),
  );
  for (let last = pairs.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [pairs[last], pairs[chosen]] = [pairs[chosen]!, pairs[last]!];
  }
  return pairs.slice(0, MOST_PAIRS);
}

/**
 * Ranks the contestants of the pairs that were judged. The best comes first; equal ones keep the order of the pairs.
 */
export function rankOf(
  judged: readonly (BlindPair & { readonly verdict: Verdict })[],
  contestantOf: (task: Task) => string,
): readonly Rank[] {
  const counts = new Map<string, { wins: number; ties: number; losses: number }>();
  const count = (task: Task, what: 'wins' | 'ties' | 'losses') => {
    const known = counts.get(contestantOf(task)) ?? { wins: 0, ties: 0, losses: 0 };
    counts.set(contestantOf(task), { ...known, [what]: known[what] + 1 });
  };
  for (const { left, right, verdict } of judged) {
    count(left, verdict === 'same' ? 'ties' : verdict === 'left' ? 'wins' : 'losses');
    count(right, verdict === 'same' ? 'ties' : verdict === 'right' ? 'wins' : 'losses');
  }
  return [...counts]
    .map(([contestant, { wins, ties, losses }]) => ({
      contestant,
      wins,
      ties,
      losses,
      score: (wins + ties / 2) / (wins + ties + losses),
    }))
    .sort((left, right) => right.score - left.score);
}
