/** Whether a page permits indexing its text and following its links. */
export interface IndexingRules {
  readonly index: boolean
  readonly follow: boolean
}

const withValue = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

/**
 * Combines the directives of `<meta name="robots">` and X-Robots-Tag. In the header, a name and a colon limit the following
 * directives to that crawler.
 */
export function indexingRules(meta: readonly string[], header: string | null): IndexingRules {
  const directives = new Set(meta.flatMap((content) => content.toLowerCase().split(/[\s,]+/)))
  let agent = ''
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    if (name !== undefined && !withValue.test(name)) agent = name
    if (agent === '' || agent === 'groundwork') directives.add((name === agent ? (rest ?? '') : part).trim())
  }
  const none = directives.has('none')
  return { index: !none && !directives.has('noindex'), follow: !none && !directives.has('nofollow') }
}
