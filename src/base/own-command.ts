const isCheckout = import.meta.filename.endsWith('.ts');
/** `npx darkroom` outside such a folder would fetch another package of this name. */
const isInFolder = /[\\/]node_modules[\\/]/.test(process.argv[1] ?? '');

/**
 * Command of this installation as a person types it: a checkout runs the sources; a package is installed in a folder or
 * globally.
 */
export const OWN_COMMAND = isCheckout ? 'npm run -s darkroom --' : isInFolder ? 'npx darkroom' : 'darkroom';

/** Command with which a person starts the service. */
export const START_COMMAND = isCheckout ? 'npm start' : `${OWN_COMMAND} serve`;
