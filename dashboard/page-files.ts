import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { pageTitles } from './page-titles.ts'

const folder = import.meta.dirname
const route = /const (\w+) = createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+path: '([^']+)',([\s\S]*?)\n\}\)/g
/** The routes that are parents in other files. */
const parents: Record<string, Page> = {
  rootRoute: { path: '', modules: [], needsUser: false },
  organizationRoute: { path: '/$organization', modules: ['shell/organization-frame.tsx'], needsUser: true },
}

interface Page {
  /** The path of the route, such as `/$organization/contacts/$contactId`. */
  readonly path: string
  /** The modules that the router loads for this path. */
  readonly modules: readonly string[]
  /** Whether the page asks who is signed in. */
  readonly needsUser: boolean
}

/**
 * Writes pages.json: the files that each path needs besides those of index.html, and its title. The server names the files in the
 * page, so that the browser loads them together with the entry instead of after it, and writes the title into it.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: withPriorities },
    generateBundle: {
      // After Vite has removed the chunks that only import styles.
      order: 'post',
      async handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const pages = (await pagesOf()).map(({ path, modules, needsUser }) => ({
          path,
          title: pageTitles.get(path) ?? null,
          needsUser,
          files: [...new Set(modules.flatMap((module) => filesOf(join(folder, module), chunks)))],
        }))
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
      },
    },
  }
}

/** Lets the styles, which the first paint needs, go before the scripts. */
const withPriorities = (html: string): string =>
  html.replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')

/** Reads the pages from the files routes.ts. @throws Error if a route is written in a way that this does not read */
async function pagesOf(): Promise<Page[]> {
  const names = await readdir(folder, { withFileTypes: true })
  const found = names.filter((entry) => entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules')
  const pages = await Promise.all(
    found.map(async ({ name }) => {
      const text = await readFile(join(folder, name, 'routes.ts'), 'utf8').catch(() => '')
      return pagesIn(text, name)
    }),
  )
  return pages.flat()
}

function pagesIn(text: string, module: string): Page[] {
  const known = new Map(Object.entries(parents))
  const pages: Page[] = []
  for (const [, name = '', parentName = '', path = '', rest = ''] of text.matchAll(route)) {
    const parent = known.get(parentName)
    if (parent === undefined) throw new Error(`${module}/routes.ts: the route ${name} is above its parent ${parentName}.`)
    const component = /import\('\.\/([^']+)'\)/.exec(rest)?.[1]
    const page = {
      path: `${parent.path}${path === '/' ? '' : path}`,
      modules: [...parent.modules, ...(component === undefined ? [] : [`${module}/${component}`])],
      needsUser: parent.needsUser || rest.includes('whoIsSignedIn('),
    }
    known.set(name, page)
    pages.push(page)
  }
  if (pages.length !== text.split('createRoute({').length - 1) throw new Error(`${module}/routes.ts has a route of another form.`)
  return pages
}

/** Returns the files of a module: its chunk, and the chunks and styles that the chunk imports. */
function filesOf(module: string, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (chunk === undefined || files.has(chunk.fileName)) return
    for (const file of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file)
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
  }
  add(chunks.find(({ facadeModuleId }) => facadeModuleId === module) ?? chunks.find(({ moduleIds }) => moduleIds.includes(module)))
  if (files.size === 0) throw new Error(`The build has no chunk for ${module}.`)
  return [...files]
}
