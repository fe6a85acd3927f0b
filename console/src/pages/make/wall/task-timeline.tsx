import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Timeline } from '@mantine/core';
import { Hint } from '../../../components/words.ts';
import { formatMinute, formatMoment, formatSeconds } from '../../../format.ts';
import { historyTexts } from '../../../texts/history.ts';

const texts = historyTexts.detail;

interface Step {
  readonly title: string;
  readonly at: string;
  readonly note?: string;
}

/** The events of a task with their times. */
export function TaskTimeline({ task }: { readonly task: Task }) {
  const steps = stepsOf(task);
  return (
    <>
      <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2}>
        {steps.map((step) => (
          <Timeline.Item key={step.title} title={step.title}>
            <Hint className="figures">
              {formatMoment(step.at)}
              {step.note !== undefined && `, ${step.note}`}
            </Hint>
          </Timeline.Item>
        ))}
      </Timeline>
      {task.status === 'succeeded' && (
        <Hint mt="sm">
          {task.outputs.length === 0
            ? 'Its files have been erased'
            : `Files are kept until ${formatMinute(task.expires_at)}`}
        </Hint>
      )}
    </>
  );
}

function stepsOf(task: Task): Step[] {
  const steps: Step[] = [{ title: 'Ordered', at: task.created_at }];
  if (task.started_at !== null) {
    const note = `after waiting ${secondsBetween(task.created_at, task.started_at)}`;
    steps.push({ title: 'Started', at: task.started_at, note });
  }
  if (task.cancel_requested_at !== null) steps.push({ title: 'Cancel requested', at: task.cancel_requested_at });
  const end = texts.ends[task.status];
  if (end !== undefined && task.completed_at !== null) {
    const note = `${secondsBetween(task.created_at, task.completed_at)} after it was ordered`;
    steps.push({ title: end, at: task.completed_at, note });
  }
  return steps;
}

function secondsBetween(from: string, to: string): string {
  return formatSeconds((Date.parse(to) - Date.parse(from)) / 1000);
}
