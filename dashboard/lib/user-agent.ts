const browsers: readonly [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/(?:Chrome|Chromium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Returns browser and system such as “Firefox, Linux”, or undefined if neither is known. */
export function browserOf(userAgent: string | null): string | undefined {
  const named = [browsers, systems].flatMap((kinds) => kinds.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? [])
  return named.length === 0 ? undefined : named.join(', ')
}
