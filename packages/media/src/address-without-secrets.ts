const SECRET_PARAMETER = /key|token|sig|credential|expires|policy/i;

/** Returns an address without user name, password and the values of parameters that may be secrets. */
export function addressWithoutSecrets(given: string): string {
  const url = URL.parse(given);
  if (url === null) return '(an invalid address)';
  for (const name of [...url.searchParams.keys()])
    if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, '[secret]');
  url.username = '';
  url.password = '';
  return url.href.replaceAll('%5Bsecret%5D', '[secret]');
}
