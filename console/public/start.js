// Runs before anything is painted and before the console's own code has arrived.
(() => {
  const kept = (storage, name) => {
    try {
      return globalThis[storage].getItem(name);
    } catch {
      return null;
    }
  };

  // A dark room does not flash white.
  const wish = kept('localStorage', 'mantine-color-scheme-value');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = wish === 'light' || wish === 'dark' ? wish : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  if (wish === scheme) {
    const room = scheme === 'dark' ? '#120e0c' : '#f4efe8';
    for (const color of document.querySelectorAll('meta[name="theme-color"]')) color.setAttribute('content', room);
  }

  // Requests what this page will ask for besides its first code, at the same time as that. The build names the files.
  const parts = JSON.parse(document.currentScript.dataset.parts);
  const isSignedIn = ['sessionStorage', 'localStorage'].some((storage) => kept(storage, 'darkroom.session') !== null);
  const isMake = /^#?\/?(?:t\/|light$|light\?|\?|$)/.test(location.hash);
  const wanted =
    !isSignedIn || location.hash.startsWith('#/sign-in') ? parts.signIn : isMake ? parts.make : undefined;
  for (const href of wanted ?? []) {
    const isStyle = href.endsWith('.css');
    const rel = isStyle ? 'preload' : 'modulepreload';
    document.head.append(Object.assign(document.createElement('link'), { rel, href, ...(isStyle ? { as: 'style' } : {}) }));
  }
})();
