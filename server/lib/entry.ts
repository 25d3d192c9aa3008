import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The built JavaScript of this package, if callers in TypeScript use it too. */
let builtFolder: URL | null = null

/**
 * Makes threads and child processes run the built JavaScript from now on, also for callers in TypeScript: they then start
 * without compiling, which takes half a second of processor time. The build must be of the same sources.
 */
export function runBuiltEntries(): void {
  builtFolder = pathToFileURL(packageFile('dist/'))
}

/**
 * Returns the entry point of a thread: the module beside the caller. The program runs built JavaScript (`dist/`) and the tests
 * run TypeScript sources; the entry point has the form in which the caller runs, except after `runBuiltEntries`.
 * @param callerUrl the caller's `import.meta.url`
 * @param name the module beside it, without extension: `./worker`
 */
export function entryPoint(callerUrl: string, name: string): URL {
  const built = builtEntry(callerUrl, name)
  if (built !== null) return built
  const source = new URL(`${name}.ts`, callerUrl).href
  return new URL(`data:text/javascript,import{register}from"${tsx('./dist/esm/api/index.mjs')}";register();await import("${source}")`)
}

/** Returns the path of a file that ships with the server package (SQL, assets), from source and from `dist/` alike. */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, path)
}

/** Returns the arguments for `process.execPath` that run the module beside the caller in a child process; see `entryPoint`. */
export function childEntry(callerUrl: string, name: string): string[] {
  const built = builtEntry(callerUrl, name)
  if (built !== null) return [fileURLToPath(built)]
  return ['--conditions=source', '--import', tsx('./dist/loader.mjs'), fileURLToPath(new URL(`${name}.ts`, callerUrl))]
}

/** Returns the built module beside the caller; null if the source is to run. */
function builtEntry(callerUrl: string, name: string): URL | null {
  if (!callerUrl.endsWith('.ts')) return new URL(`${name}.js`, callerUrl)
  if (builtFolder === null) return null
  const path = relative(packageFile('.'), fileURLToPath(new URL(`${name}.js`, callerUrl)))
  return new URL(path.split(sep).join('/'), builtFolder)
}

/** `import.meta.resolve` is not available in vitest's global setup. */
function tsx(module: string): string {
  return new URL(module, pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))).href
}
