import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluationPath } from '../../testing/evaluation-data.ts'
import { outline } from '../chunk/outline.ts'
import type { ExtractedDocument } from './document.ts'
import { parseDocument } from './parse.ts'

const words = 'The pump moves water from the lower tank to the upper one, as long as the valve is open. '.repeat(4)

async function read(html: string): Promise<ExtractedDocument> {
  return parseDocument({ bytes: Buffer.from(html), fileName: 'page.html' })
}

const headingsOf = (document: ExtractedDocument): string[] =>
  document.blocks.flatMap(({ kind, start, end }) => (kind === 'heading' ? [document.text.slice(start, end)] : []))

/** The heading and the paragraphs of a page as each generator writes them. */
const generators: Readonly<Record<string, string>> = {
  Sphinx: `<div class="body" role="main"><section id="a"><h1>Pumps<a class="headerlink" href="#a" title="Link to this heading">¶</a></h1><p>${words}</p>
    <section id="b"><h2>Valves<a class="headerlink" href="#b" title="Permalink to this headline">¶</a></h2><p>${words}</p>
    <dl><dt id="open">open()<a class="headerlink" href="#open" title="Link to this definition">¶</a></dt><dd><p>${words}</p></dd></dl></section></section></div>`,
  'Read the Docs': `<div class="wy-nav-content"><div role="navigation"><ul class="wy-breadcrumbs"><li>Docs</li><li class="wy-breadcrumbs-aside"><a href="https://github.com/x/y/blob/main/a.rst">Edit on GitHub</a></li></ul></div>
    <div role="main"><h1>Pumps<a class="headerlink" href="#a" title="Link to this heading"></a></h1><p>${words}</p><h2>Valves<a class="headerlink" href="#b">¶</a></h2><p>${words}</p></div></div>`,
  Docusaurus: `<main><article><h1>Pumps</h1><p>${words}</p><h2 class="anchor anchorWithStickyNavbar_LWe7" id="b">Valves<a href="#b" class="hash-link" aria-label="Direct link to Valves" title="Direct link to Valves">\u200B</a></h2><p>${words}</p></article>
    <a href="https://github.com/x/y/edit/main/a.md" class="theme-edit-this-page"><svg></svg>Edit this page</a></main>`,
  MkDocs: `<main><article class="md-content__inner"><a href="https://github.com/x/y/edit/a.md" title="Edit this page" class="md-content__button md-icon"><svg></svg></a>
    <h1 id="a">Pumps<a class="headerlink" href="#a" title="Permanent link">#</a></h1><p>${words}</p><h2 id="b">Valves<a class="headerlink" href="#b" title="Permanent link">&para;</a></h2><p>${words}</p></article></main>`,
  VitePress: `<main><div class="vp-doc"><h1 id="a" tabindex="-1">Pumps <a class="header-anchor" href="#a" aria-label="Permalink to &quot;Pumps&quot;">&#8203;</a></h1><p>${words}</p>
    <h2 id="b">Valves <a class="header-anchor" href="#b" aria-hidden="true">#</a></h2><p>${words}</p></div><footer><a class="VPLink edit-link-button" href="https://github.com/x/y/edit/main/a.md">Edit this page on GitHub</a></footer></main>`,
  GitHub: `<article class="markdown-body"><div class="markdown-heading"><h1 class="heading-element">Pumps</h1><a id="user-content-a" class="anchor" aria-label="Permalink: Pumps" href="#a"><span class="octicon"></span></a></div><p>${words}</p>
    <div class="markdown-heading"><h2 class="heading-element">Valves</h2><a class="anchor" href="#b"><svg></svg></a></div><p>${words}</p></article>`,
  MediaWiki: `<div id="content"><h1 id="firstHeading">Pumps</h1><div class="mw-parser-output"><p>${words}</p><div class="mw-heading mw-heading2"><h2 id="b">Valves</h2><span class="mw-editsection"><span>[</span><a href="/w/index.php?title=P&amp;action=edit&amp;section=1"><span>edit</span></a><span>]</span></span></div><p>${words}</p></div></div>`,
  rustdoc: `<main><h1>Pumps</h1><p>${words}</p><h2 id="b"><a class="doc-anchor" href="#b">§</a>Valves</h2><p>${words}</p></main>`,
  Hugo: `<main><h1>Pumps</h1><p>${words}</p><h2 id="b">Valves<a class="td-heading-self-link" href="#b" aria-label="Heading self-link"></a></h2><p>${words}</p><a href="https://github.com/x/y/edit/main/a.md">Edit this page</a></main>`,
  'a page with text for screen readers': `<main><h1>Pumps<span class="sr-only"> Link to this heading</span></h1><p>${words}</p><h2><span class="visually-hidden">Edit</span>Valves<a href="#b">🔗</a></h2><p>${words}<span style="position:absolute;clip:rect(0,0,0,0);width:1px">Edit this text</span></p></main>`,
}

describe('marks of generators', () => {
  it.each(Object.entries(generators))('of %s are removed', async (_name, body) => {
    const document = await read(`<!doctype html><html lang="en"><head><title>Manual</title></head><body>${body}</body></html>`)
    expect(headingsOf(document)).toEqual(['Pumps', 'Valves'])
    expect(document.text).not.toMatch(/[¶#§🔗]|link to|permalink|edit/iu)
    expect(document.text.split('from the lower tank').length).toBeGreaterThan(8)
  })

  it('are told from content', async () => {
    const document = await read(
      `<main><h1><a class="header" href="#pumps">Pumps</a></h1><p>${words}</p><h2 class="anchor"><a class="anchor" href="#valves">Valves</a></h2>
       <p>Read <a href="#c">how to edit</a> the <a href="https://github.com/x/edit">edit log</a>, see <a href="#d">§ 5</a>.</p><p>${words}</p></main>`,
    )
    expect(headingsOf(document)).toEqual(['Pumps', 'Valves'])
    expect(document.text).toContain('Read how to edit the edit log, see § 5.')
  })
})

describe('the main content of a page in a language with few characters', () => {
  it.each([
    ['zh', '水泵把水从下面的水箱送到上面的水箱，只要阀门是打开的。每天早上检查压力，并把数值写进记录。'],
    ['ja', 'バルブが開いている間、ポンプは下のタンクから上のタンクへ水を送ります。毎朝、圧力を確認して記録してください。'],
    ['ko', '밸브가 열려 있는 동안 펌프는 아래 탱크에서 위 탱크로 물을 보냅니다. 매일 아침 압력을 확인하고 기록하십시오.'],
  ])('is the article, without menus and comments: %s', async (language, sentence) => {
    const links = Array.from({ length: 40 }, (_, at) => `<li><a href="/${at}">${sentence.slice(at % 8, (at % 8) + 6)}</a></li>`).join('')
    const comments = Array.from({ length: 6 }, () => '<div class="comment"><p>COMMENT 好 좋아요</p></div>').join('')
    const document = await read(
      `<!doctype html><html lang="${language}"><head><title>t</title></head><body><div class="menu"><ul>${links}</ul></div>
       <div class="post"><div class="entry"><h1>${sentence.slice(0, 5)}</h1>${`<p>${sentence}</p>`.repeat(6)}</div></div>
       <div id="comments" class="comments">${comments}</div></body></html>`,
    )
    expect(document.text.split(sentence)).toHaveLength(7)
    expect(document.text).not.toContain('COMMENT')
    expect(document.text).not.toContain('- ')
  })
})

const sites = evaluationPath('sites')

describe.skipIf(sites === null)('manuals made by Sphinx', () => {
  it.each(['policy', 'devref-de'])(
    'have no marks in headings and texts: %s',
    async (site) => {
      const folder = join(sites ?? '', site)
      const faults: string[] = []
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
        const document = await parseDocument({ bytes: readFileSync(join(folder, name)), fileName: name })
        const marked = outline(document).filter(({ path }) => path.some((title) => /[¶#]|link to this/i.test(title)))
        if (marked.length > 0 || document.text.includes('¶')) faults.push(name)
      }
      expect(faults).toEqual([])
    },
    240_000,
  )
})
