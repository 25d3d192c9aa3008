import type { SourceErrorCode } from '@groundwork/api'
import { SourceError } from '../../lib/errors.ts'
import { textOf } from './decode.ts'
import { detectType } from './detect.ts'
import type { ExtractedDocument } from './document.ts'
import type { ExtractInput } from './draft.ts'
import { parseHtml, type HtmlDocument } from './html-dom.ts'
import { parseDocument } from './parse.ts'

/** The instructions of a web page for crawlers. URLs are as written. */
export interface PageFacts {
  /** The base of relative URLs, if it is not the page's URL. */
  readonly base: string | null
  readonly canonical: string | null
  /** The contents of `<meta name="robots">` and of the elements for this crawler. */
  readonly robots: readonly string[]
  /** The target of a meta refresh. */
  readonly refresh: string | null
  /** The credential that a form of the page asks for. */
  readonly asksFor: 'password' | 'name' | null
  /** Links that may be followed, at most `maxLinks`. */
  readonly links: readonly string[]
  /** Whether the page has scripts. */
  readonly scripted: boolean
}

export interface PageReading {
  /** Null for other kinds of documents. */
  readonly facts: PageFacts | null
  readonly content: { readonly document: ExtractedDocument } | { readonly code: SourceErrorCode; readonly message: string }
}

const maxLinks = 2_000

/** Reads a document and its instructions for crawlers. Runs in the parser process, see `Extractor.readPage`. */
export async function readPage(input: ExtractInput): Promise<PageReading> {
  const content = await parseDocument(input).then(
    (document) => ({ document }),
    (error: unknown) => {
      if (error instanceof SourceError) return { code: error.code, message: error.message }
      throw error
    },
  )
  const html = 'document' in content ? content.document.mediaType === 'text/html' : await isHtml(input)
  return { facts: html ? factsOf(parseHtml(textOf(input.bytes, input.contentType))) : null, content }
}

async function isHtml(input: ExtractInput): Promise<boolean> {
  try {
    return (await detectType(input)) === 'text/html'
  } catch {
    return false
  }
}

function factsOf(page: HtmlDocument): PageFacts {
  return {
    base: page.querySelector('base[href]')?.getAttribute('href') ?? null,
    canonical: page.querySelector('link[rel~=canonical][href]')?.getAttribute('href') ?? null,
    robots: [...page.querySelectorAll('meta[name][content]')]
      .filter((meta) => /^(?:robots|groundwork)$/i.test(meta.getAttribute('name') ?? ''))
      .map((meta) => meta.getAttribute('content') ?? ''),
    refresh: refreshOf(page),
    asksFor: credentialOf(page),
    links: linksOf(page),
    scripted: [...page.querySelectorAll('script')].some((script) => runs(script.getAttribute('type'))),
  }
}

/** Returns whether a script type is executable; other types are data, such as JSON-LD. */
function runs(type: string | null): boolean {
  return type === null || /^$|^module$|(?:java|ecma)script/i.test(type)
}

/** A longer meta refresh reloads the page for updates and is not a redirect. */
const maxRedirectSeconds = 10

function refreshOf(page: HtmlDocument): string | null {
  for (const meta of page.querySelectorAll('meta[http-equiv][content]')) {
    if (meta.getAttribute('http-equiv')?.toLowerCase() !== 'refresh') continue
    const [, seconds = '', url = ''] = /^\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(meta.getAttribute('content') ?? '') ?? []
    if (url !== '' && Number(seconds) <= maxRedirectSeconds) return url.trim()
  }
  return null
}

/** Sign-in forms in several steps ask for a name first. */
function credentialOf(page: HtmlDocument): PageFacts['asksFor'] {
  let asksFor: PageFacts['asksFor'] = null
  for (const input of page.querySelectorAll('input')) {
    const type = input.getAttribute('type')?.toLowerCase() ?? 'text'
    if (type === 'password') return 'password'
    const purpose = ['name', 'id', 'autocomplete'].map((attribute) => input.getAttribute(attribute) ?? '').join(' ')
    if (/^(?:text|email)$/.test(type) && /user|log-?in|identifier|e-?mail/i.test(purpose)) asksFor = 'name'
  }
  return asksFor
}

function linksOf(page: HtmlDocument): string[] {
  const links = new Set<string>()
  for (const element of page.querySelectorAll('a[href], area[href], frame[src], link[rel~=next][href]')) {
    if (links.size === maxLinks) break
    const rel = element.getAttribute('rel')?.toLowerCase().split(/\s+/) ?? []
    const address = (element.getAttribute('href') ?? element.getAttribute('src') ?? '').trim()
    if (!rel.includes('nofollow') && !/^(?:#|javascript:|mailto:|tel:|data:)/i.test(address)) links.add(address)
  }
  return [...links]
}
