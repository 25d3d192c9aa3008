/** Prefixes of our settings that other programs are unlikely to use. */
const prefixes = [
  'CHAT_',
  'CORS_',
  'DRAIN_',
  'EMBEDDINGS_',
  'FETCH_',
  'MAIL_',
  'METRICS_',
  'OIDC_',
  'QUOTA_',
  'RATE_LIMIT_',
  'RERANK_',
  'RETAIN_',
  'SEARCH_',
  'SMTP_',
  'STORAGE_',
  'TRUSTED_PROX',
]

/**
 * Kubernetes sets variables for every service in every container: a service named "search" sets SEARCH_SERVICE_HOST and
 * SEARCH_PORT_80_TCP.
 */
const serviceVariable = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/

/** Shorter names are one edit away from too many other names. */
const minMisspeltLength = 9
const maxSuggestionDistance = 3

/**
 * Returns a message for each unknown variable that looks like one of our settings: it has one of our prefixes, or is one edit
 * away from a setting that is not set. Without the message, such a variable would be ignored silently.
 */
export function unknownSettings(set: Readonly<Record<string, string>>, known: readonly string[]): string[] {
  return Object.entries(set)
    .filter(
      ([name, value]) =>
        !known.includes(name) &&
        isOurs(
          name,
          value,
          known.filter((each) => set[each] === undefined),
        ),
    )
    .map(([name]) => {
      const near = nearest(name, known)
      return `${name}: is not a setting of this version.${near === null ? ' Remove it.' : ` Did you mean ${near}?`}`
    })
}

function isOurs(name: string, value: string, unset: readonly string[]): boolean {
  if (serviceVariable.test(name) || (name.endsWith('_PORT') && value.startsWith('tcp://'))) return false
  if (prefixes.some((prefix) => name.startsWith(prefix))) return true
  return unset.some((each) => each.length >= minMisspeltLength && Math.abs(each.length - name.length) <= 1 && distance(name, each) === 1)
}

/** Returns the nearest setting with the same first word or within the maximum distance; null if there is none. */
function nearest(name: string, known: readonly string[]): string | null {
  const firstWord = `${name.split('_', 1)[0]}_`
  const [best] = known
    .map((each) => ({ each, far: distance(name, each) }))
    .filter(({ each, far }) => each.startsWith(firstWord) || far <= maxSuggestionDistance)
    .toSorted((a, b) => a.far - b.far)
  return best?.each ?? null
}

/** Returns the optimal string alignment distance: swapping two neighbouring letters is one edit. */
function distance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, substituted, swapped))
    }
    ;[beforeLast, last] = [last, row]
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0
