import { Group, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Mark, type Tone } from '../../components/status-mark.tsx';
import classes from './alert-line.module.css';

/** An alert as one line, which opens to show all that is known of it. Its remedies are beside it in any case. */
export function AlertLine({
  label,
  tone,
  since,
  cause,
  remedies,
  children,
}: {
  readonly label: string;
  readonly tone: Tone;
  readonly since: string;
  readonly cause: string;
  /** What can be done about it at once. */
  readonly remedies?: ReactNode;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section className={classes.alert} aria-label={label} data-tone={tone}>
      <div className={classes.line}>
        <button
          type="button"
          className={classes.open}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} aria-hidden="true" className={classes.chevron} />
          <span className={classes.label}>
            <Mark tone={tone}>{label}</Mark>
          </span>
          <Text span size="xs" c="dimmed" className="figures">
            {since}
          </Text>
          {!isOpen && <span className={classes.cause}>{cause}</span>}
        </button>
        {remedies !== undefined && <Group gap={6}>{remedies}</Group>}
      </div>
      <div id={id} hidden={!isOpen} className={classes.rest}>
        {isOpen && (
          <>
            <Text size="sm" maw="72ch">
              {cause}
            </Text>
            {children}
          </>
        )}
      </div>
    </section>
  );
}
