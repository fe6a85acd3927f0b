import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state.tsx';
import { frameTexts } from '../texts/frame.ts';

export function NotFound() {
  const { title, text, action } = frameTexts.notFound;
  return (
    <EmptyState
      title={title}
      text={text}
      action={
        <Button component={Link} href="/">
          {action}
        </Button>
      }
    />
  );
}
