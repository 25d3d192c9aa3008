import type { Guide, GuideGroup, Guides } from './guides.ts'
import { escapeHtml } from './render.ts'
import { searchGuides, wordsOf, type GuideHit } from './search.ts'

/** Returns the page of a guide. */
export const guidePage = ({ groups }: Guides, { slug, title, html }: Guide): string => page({ groups, slug, title, content: html })

/** Returns the page with the results of a search. */
export function searchPage({ groups, bySlug }: Guides, query: string): string {
  const hits = searchGuides(bySlug.values(), query)
  const words = wordsOf(query)
  const found = hits.length === 0 ? 'Nothing found.' : hits.length === 1 ? '1 result' : `${hits.length} results`
  const content = `<h1>Search the guides</h1>\n<p>${query.trim() === '' ? 'Type what you are looking for.' : found}</p>\n<ol class="hits">${hits.map((hit) => hitItem(hit, words)).join('\n')}</ol>`
  return page({ groups, slug: null, title: 'Search the guides', content, query })
}

/** Returns the page for a URL without a guide. */
export const missingPage = ({ groups }: Guides): string =>
  page({
    groups,
    slug: null,
    title: 'Not found',
    content: '<h1>Not found</h1>\n<p>There is no guide at this URL. Search for it, or choose one.</p>',
  })

function hitItem({ slug, title, id, heading, excerpt }: GuideHit, words: readonly string[]): string {
  const name = heading === title ? title : `${title}: ${heading}`
  return `<li><a href="${urlOf(slug)}${id && `#${encodeURIComponent(id)}`}">${escapeHtml(name)}</a><p>${marked(excerpt, words)}</p></li>`
}

function marked(text: string, words: readonly string[]): string {
  const word = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
  return text
    .split(word)
    .map((part, index) => (index % 2 === 1 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('')
}

const urlOf = (slug: string): string => `/docs${slug && '/'}${slug}`

interface PageContent {
  groups: readonly GuideGroup[]
  /** Null for a page that is not a guide. */
  slug: string | null
  title: string
  content: string
  query?: string
}

function page({ groups, slug, title, content, query = '' }: PageContent): string {
  const link = (target: string, label: string): string =>
    `<li><a href="${urlOf(target)}"${target === slug ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`
  const lists = groups.map((group) => {
    const links = group.guides.map((guide) => link(guide.slug, guide.title)).join('')
    return `<h2>${escapeHtml(group.title)}</h2>\n<ul>${links}</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(slug === '' ? 'Groundwork guides' : `${title} · Groundwork guides`)}</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/guides.css">
<script src="/docs/former-urls.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="product" href="/docs">Groundwork guides</a>
<form role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the guides" placeholder="Search the guides" maxlength="200" value="${escapeHtml(query)}"><button>Search</button></form>
<nav aria-label="Groundwork"><a class="to-guides" href="#guides">All guides</a> <a href="/docs/reference">API reference</a> <a href="/app/">Dashboard</a></nav>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${content}
</main>
<nav id="guides" aria-label="Guides">
<ul>${link('', 'Start')}</ul>
${lists.join('\n')}
</nav>
</div>
</body>
</html>
`
}
