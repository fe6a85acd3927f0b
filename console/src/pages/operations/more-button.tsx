import { Button, Group } from '@mantine/core';
import { operationsTexts } from '../../texts/operations.ts';

/** Loads the next page of a list. Hidden at the end. */
export function MoreButton({
  pages,
}: {
  readonly pages: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  if (!pages.hasNextPage) return null;
  return (
    <Group justify="center" p="sm">
      <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {operationsTexts.more}
      </Button>
    </Group>
  );
}
