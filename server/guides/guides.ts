import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { packageFile } from '../lib/entry.ts'
import { renderGuide, type Section } from './render.ts'

export interface Guide {
  /** Path below /docs/; empty for the first page. */
  readonly slug: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Pick<Guide, 'slug' | 'title'>[]
}

export interface Guides {
  readonly bySlug: ReadonlyMap<string, Guide>
  /** The navigation: the groups of the documentation list in the README. */
  readonly groups: readonly GuideGroup[]
}

/** The folder with README.md, docs/ and sdk/: of the repository, or of the packages of the program. */
export const guidesFolder = (): string => dirname(packageFile('.'))

/** Steps for contributors refer to sources, which the program does not serve. */
const omitted = /^docs\/(?:contributing\/|architecture\.md$)/

/** Reads and renders the guides. */
export async function readGuides(folder = guidesFolder()): Promise<Guides> {
  const found = (await readdir(join(folder, 'docs'), { recursive: true })).map((name) => `docs/${name.replaceAll('\\', '/')}`)
  const paths = ['README.md', 'sdk/README.md', ...found.filter((path) => path.endsWith('.md') && !omitted.test(path)).toSorted()]
  const texts = await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const))
  const slugs = new Map(paths.map((path) => [path, slugOf(path)]))
  const guides = texts.map(([path, text]): Guide => ({ slug: slugOf(path), ...renderGuide(text, path, slugs) }))
  const bySlug = new Map(guides.map((guide) => [guide.slug, guide]))
  return { bySlug, groups: groupsOf(texts[0]?.[1] ?? '', slugs, bySlug) }
}

/** `docs/operations/back-up.md` → `operations/back-up`. */
const slugOf = (path: string): string =>
  path === 'README.md' ? '' : path === 'sdk/README.md' ? 'sdk' : path.slice('docs/'.length, -'.md'.length)

/** Reads the groups from the documentation list of the README: a bold line, then a list of links. */
function groupsOf(readme: string, slugs: ReadonlyMap<string, string>, bySlug: ReadonlyMap<string, Guide>): GuideGroup[] {
  const list = /^## Documentation\n([^]*?)(?=^## |(?![^]))/m.exec(readme)?.[1] ?? ''
  return list.split(/^\*\*(?=.+\*\*$)/m).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n')
    const links = lines.join('\n').matchAll(/\]\(([\w./-]+\.md)\)/g)
    const guides = [...links].flatMap(([, path = '']) => bySlug.get(slugs.get(path) ?? '-') ?? [])
    return guides.length === 0 ? [] : [{ title: heading.replace(/\*\*$/, ''), guides: [...new Set(guides)] }]
  })
}
