import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { changed, hashOutputs, hashSources, readStamp, writeStamp } from './stamp.mjs'

const root = resolve(import.meta.dirname, '..')
const workspaces = ['api', 'server', 'sdk', 'cli']
const shared = ['package-lock.json', 'tsconfig.base.json']

const parts = {
  program: {
    sources: [...workspaces, ...shared, 'scripts/bundle.mjs'],
    outputs: workspaces.map((folder) => join(folder, 'dist')),
    compilers: ['node_modules/.bin/tsc', 'node_modules/esbuild/lib/main.js'],
    commands: (fromScratch) => [
      ['node_modules/.bin/tsc', '-b', ...workspaces, ...(fromScratch ? ['--force'] : [])],
      [process.execPath, 'scripts/bundle.mjs'],
    ],
  },
  dashboard: {
    sources: ['api', 'sdk', 'dashboard', ...shared],
    outputs: ['dashboard/dist'],
    compilers: ['node_modules/.bin/vite'],
    commands: () => [['node_modules/.bin/vite', 'build', 'dashboard', '--logLevel', 'warn']],
  },
}

/**
 * Builds the given parts, unless sources and outputs are unchanged since the last build. Compilers print to stderr. Ends the
 * process with 1 if a required compiler is not installed or fails.
 */
export async function build(...names) {
  process.chdir(root)
  try {
    for (const name of names) await buildPart(name, parts[name])
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

async function buildPart(name, { sources, outputs, compilers, commands }) {
  const stamp = readStamp(name)
  const hashes = hashSources(sources)
  const edited = changed(stamp?.sources ?? {}, hashes)
  if (edited.length === 0 && changed(stamp.outputs, hashOutputs(outputs)).length === 0) return
  if (!compilers.every((path) => existsSync(path))) throw new Error(notInstalled(name, stamp !== undefined))
  process.stderr.write(`Building the ${name}\n`)
  // The compiler considers a file with an old modification time unchanged.
  if (stamp) for (const path of edited) if (existsSync(path)) utimesSync(path, new Date(), new Date())
  for (const [command, ...words] of commands(stamp === undefined || edited.length === 0)) await run(command, words)
  writeStamp(name, { sources: hashes, outputs: hashOutputs(outputs) })
}

function notInstalled(name, wasBuilt) {
  const why = wasBuilt ? `The ${name} was built from other sources` : `The ${name} is not built`
  return `${why}, and its compiler is not installed. Run: npm ci && npm run build`
}

/** Runs a compiler. A signal ends the compiler with all its child processes, and then this process. */
async function run(command, words) {
  const child = spawn(command, words, { stdio: ['ignore', process.stderr, process.stderr], detached: true })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const stop = (signal) => {
    // The process group id of a detached process is its process id.
    process.kill(Number(child.pid) * -1, 'SIGKILL')
    for (const one of signals) process.off(one, stop)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, stop)
  const [code, endedBy] = await once(child, 'exit')
  for (const signal of signals) process.off(signal, stop)
  if (code !== 0) throw new Error(`${command} failed with ${endedBy ?? `code ${code}`}.`)
}
