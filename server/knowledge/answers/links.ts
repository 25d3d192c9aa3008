/** Elements and Markdown that load something when a page shows them. */
const loadingPattern =
  /!\[|<(?:audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|track|video)\b/i
/** Tags, also at the end of a sentence that ends in one. */
const tagPattern = /<\/?[a-z][\w-]*(?:\s[^<>]*|\/)?(?:>|$)/gi

const end = String.raw`[^\s<>()"'\]]*[^\s<>()"'\].,;:!?]`
const linkPatterns = [
  // With or without scheme. Browsers read \ as /.
  String.raw`(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}${end}`,
  String.raw`(?:blob|data|file|javascript|mailto|sms|tel|vbscript):${end}`,
  String.raw`[\p{L}\p{Nd}_.+-]+@[\p{L}\p{Nd}-]+(?:\.[\p{L}\p{Nd}-]+)+`,
  // Host names, which clients often make links. Abbreviations such as "z.B." are none.
  String.raw`[\p{L}\p{Nd}-]{2,}(?:\.[\p{L}\p{Nd}-]+)*\.\p{L}{2,}(?:[/?#]${end})?`,
  String.raw`(?:[\p{L}\p{Nd}-]+\.)+\p{L}{2,}/${end}`,
]
const linkPattern = new RegExp(linkPatterns.join('|'), 'giu')
const targetPattern = /\]\(\s*<?([^\s)>]+)/g

/** Returns text in the form in which links are compared. Clients ignore invisible characters and the width of letters in links. */
const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()

/**
 * Returns whether a sentence shows nothing of another site, and links only to what the texts contain: no images, and only links,
 * e-mail addresses and HTML that are in the texts. An image or link that a document planted could carry the question elsewhere.
 */
export function linksOnlyWithin(sentence: string, texts: readonly string[]): boolean {
  const said = comparable(sentence)
  if (loadingPattern.test(said)) return false
  const known = comparable(texts.join('\n'))
  if ([...said.matchAll(tagPattern)].some(([tag]) => !known.includes(tag))) return false
  const targets = [...said.matchAll(targetPattern)].map(([, target = '']) => target)
  return [...said.matchAll(linkPattern)].every(([link]) => hasLink(known, link)) && targets.every((target) => hasLink(known, target))
}

/** Returns whether a text has a link, and not only as a part of the name of another host. */
function hasLink(text: string, link: string): boolean {
  for (let at = text.indexOf(link); at >= 0; at = text.indexOf(link, at + 1)) {
    const isBegin = /^[^\p{L}\p{Nd}]/u.test(link) || !/[\p{L}\p{Nd}_.-]$/u.test(text.slice(0, at).slice(-2))
    const isEnd = !/^(?:[\p{L}\p{Nd}_-]|[.@:][\p{L}\p{Nd}])/u.test(text.slice(at + link.length, at + link.length + 4))
    if (isBegin && isEnd) return true
  }
  return false
}
