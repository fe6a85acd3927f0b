import { type Addition, isClosedIn, type OpenQuestion, type Session } from '../../kernel.ts';

/** Fetches the files that orders name by URLs outside of this service, before an engine gets the order. */
export const REFERENCES: Addition = {
  name: 'references',
  sources: ['https:', 'http:'],
  findOpenWork: findUnfetched,
  open: (kernel) => ({
    async start() {
      if (kernel.settings.role === 'api') return;
      const { startReferenceFetcher } = await import('./reference-fetcher.ts');
      startReferenceFetcher(kernel);
    },
  }),
};

/** Finds orders whose files are to be fetched, and batches that may have such orders. */
async function findUnfetched(session: Session, { findUnplaced }: OpenQuestion): Promise<string | null> {
  const { builder } = session;
  const unfetched = await session.first(
    builder.selectFrom('tasks').select('id').where('step', '!=', 'final').where(isClosedIn('reference')).limit(1),
  );
  const found = unfetched?.id ?? (await findUnplaced());
  return found === null ? null : `'${found}' may need input files that are not fetched yet.`;
}
