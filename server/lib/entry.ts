import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Where a thread or a child process starts. The program runs as built JavaScript (`dist/`), the tests run the
 * TypeScript sources; the entry is the module beside the caller, in whichever of the two forms the caller itself runs.
 * @param callerUrl the caller's `import.meta.url`
 * @param name the module beside it, without extension: `./worker`
 */
export function entryPoint(callerUrl: string, name: string): URL {
  if (!callerUrl.endsWith('.ts')) return new URL(`${name}.js`, callerUrl)
  const source = new URL(`${name}.ts`, callerUrl).href
  return new URL(`data:text/javascript,import{register}from"${tsx('./dist/esm/api/index.mjs')}";register();await import("${source}")`)
}

/** Path of a file that is shipped with the server package as it is (SQL, assets), from source and from `dist/` alike. */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, path)
}

/** Arguments for `process.execPath` that start the module beside the caller as a process of its own; see `entryPoint`. */
export function childEntry(callerUrl: string, name: string): string[] {
  if (!callerUrl.endsWith('.ts')) return [fileURLToPath(new URL(`${name}.js`, callerUrl))]
  return ['--conditions=source', '--import', tsx('./dist/loader.mjs'), fileURLToPath(new URL(`${name}.ts`, callerUrl))]
}

/** Not by import.meta.resolve, which the runner of the tests' global setup lacks. */
function tsx(module: string): string {
  return new URL(module, pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))).href
}
