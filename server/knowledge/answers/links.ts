/** HTML elements and Markdown that load content of another site when they are rendered. */
const loadingPattern =
  /!\[|<(?:audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|track|video)\b/i
/** HTML tags, and one that is left open at the end of the sentence. */
const tagPattern = /<\/?[a-z][\w-]*(?:\s[^<>]*|\/)?(?:>|$)/gi

const restOfUrl = String.raw`[^\s<>()"'\]]*[^\s<>()"'\].,;:!?]`
const linkPatterns = [
  // With or without scheme. Browsers read \ as /.
  String.raw`(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}${restOfUrl}`,
  String.raw`(?:blob|data|file|javascript|mailto|sms|tel|vbscript):${restOfUrl}`,
  String.raw`[\p{L}\p{Nd}_.+-]+@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+`,
  // Host names, which clients often turn into links, but no abbreviations such as "z.B.".
  String.raw`[\p{L}\p{Nd}-]{2,}(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?:[/?#]${restOfUrl})?`,
  String.raw`(?:[\p{L}\p{Nd}-]+\.)+\p{L}{2,}/${restOfUrl}`,
]
const linkPattern = new RegExp(linkPatterns.join('|'), 'giu')
const targetPattern = /\]\(\s*<?([^\s)>]+)/g

/** Normalizes text to compare links: clients ignore invisible characters, and read full-width letters as ASCII. */
const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()

/**
 * Returns whether a sentence is safe to render: it loads no content, and all its links, email addresses and HTML tags are in the
 * texts. Otherwise a document could make the model write a link or an image that sends the question to another site.
 */
export function isSafeToRender(sentence: string, texts: readonly string[]): boolean {
  const said = comparable(sentence)
  if (loadingPattern.test(said)) return false
  const known = comparable(texts.join('\n'))
  if ([...said.matchAll(tagPattern)].some(([tag]) => !known.includes(tag))) return false
  const targets = [...said.matchAll(targetPattern)].map(([, target = '']) => target)
  return (
    [...said.matchAll(linkPattern)].every(([link]) => hasWholeLink(known, link)) && targets.every((target) => hasWholeLink(known, target))
  )
}

/** Returns whether a text contains the whole link, not only as a part of a longer host name. */
function hasWholeLink(text: string, link: string): boolean {
  for (let at = text.indexOf(link); at >= 0; at = text.indexOf(link, at + 1)) {
    const isBegin = /^[^\p{L}\p{Nd}]/u.test(link) || !/[\p{L}\p{Nd}_.-]$/u.test(text.slice(0, at).slice(-2))
    const isEnd = !/^(?:[\p{L}\p{Nd}_-]|[.@:][\p{L}\p{Nd}])/u.test(text.slice(at + link.length, at + link.length + 4))
    if (isBegin && isEnd) return true
  }
  return false
}
