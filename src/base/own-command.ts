/**
 * How a person types a command of this installation: a checkout runs the sources, a package what was compiled from
 * them.
 */
export const OWN_COMMAND = import.meta.filename.endsWith('.ts') ? 'npm run -s darkroom --' : 'npx darkroom';
