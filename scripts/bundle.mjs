// Bundles each entry point of the server with its modules and packages into one file: a start then reads a hundred files instead of
// 2,750, which takes a third of its processor time. Usage: node scripts/bundle.mjs
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

const server = resolve(import.meta.dirname, '../server')
const output = join(server, 'dist')

/** What is started by its path: by a user, or as a thread or child process (server/lib/entry.ts). */
const entries = [
  'main',
  'cli',
  'backup/backup-child',
  'contact-imports/xlsx-child',
  'db/packaged-database-child',
  'db/embedded/create-cluster',
  'db/embedded/worker',
  'knowledge/chunk/chunk-process',
  'knowledge/embed/embedding-process',
  'knowledge/embed/embedding-worker',
  'knowledge/extract/child',
  'knowledge/index/search-worker',
  'knowledge/render/child',
  'knowledge/rerank/reranking-worker',
  'pdf/render-child',
  'pdf/render-worker',
]

/** Packages with native parts, WebAssembly or data beside their code, and those that only some programs load. */
const separate =
  /^(?:@e965\/|@electric-sql\/|@firecrawl\/|@hyzyla\/|@llamaindex\/|@myriaddreamin\/|@opentelemetry\/|eld(?:$|\/)|onnxruntime-node$|playwright-core$|pg-native$)/

/** Code of the server and of the packages beside it sees the URLs of files in `dist/`, where its modules would be without a bundle. */
const ownUrls = {
  name: 'own-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const url = `distUrl + ${JSON.stringify(relative(server, path).replace(/\.ts$/, '.js'))}`
      const text = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', `(${url})`)
        .replaceAll('import.meta.filename', `fileOfUrl(${url})`)
        .replaceAll('import.meta.dirname', `folderOfFile(fileOfUrl(${url}))`)
      return { contents: text, loader: 'ts' }
    })
  },
}

/** Node looks for a separate package from the bundle, so it has to find the one that the importing package would get. */
const separatePackages = {
  name: 'separate-packages',
  setup({ onResolve }) {
    const find = (name, folder) => {
      try {
        return createRequire(join(folder, 'any.js')).resolve(name)
      } catch (error) {
        return error.code
      }
    }
    onResolve({ filter: separate }, ({ path, resolveDir }) => {
      if (find(path, resolveDir) !== find(path, server)) throw new Error(`${path} has another version for ${resolveDir}.`)
      return { path, external: true }
    })
  },
}

/** What a bundle does not give to packages: `require`, and the place of their files. */
const banner = `import { createRequire as requireFrom } from 'node:module'
import { dirname as folderOfFile } from 'node:path'
import { fileURLToPath as fileOfUrl } from 'node:url'
const require = requireFrom(import.meta.url)
const distUrl = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)`

await build({
  entryPoints: entries.map((entry) => join(server, `${entry}.ts`)),
  outdir: output,
  outbase: server,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // `module` is the default here, but what it leads to is not installed (needed.mjs).
  conditions: ['source'],
  sourcemap: true,
  sourcesContent: false,
  banner: { js: banner },
  plugins: [ownUrls, separatePackages],
  logLevel: 'warning',
})

// A program that runs meanwhile finds its entry points at any time.
const written = new Set(entries.flatMap((entry) => [`${entry}.js`, `${entry}.js.map`]))
for (const path of readdirSync(output, { recursive: true }))
  if (/\.js(?:\.map)?$/.test(path) && !written.has(path)) rmSync(join(output, path))
